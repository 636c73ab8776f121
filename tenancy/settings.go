package tenancy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kalends/kalends/args"
)

// Settings are what a site's administrators choose.
type Settings struct {
	PerPage          int      // entries of a list page, 1 to 50
	CurrencySymbol   string   // shown with prices that name none
	CurrencyCode     string   // ISO 4217, for structured data
	CurrencyPosition string   // "prefix" or "postfix"
	Languages        []string // the public pages are in; none: all there are
	WeekStart        int      // 1 for Monday to 7 for Sunday; 0: as the language does
	DateForm         string   // "long", "medium", "short" or "iso"
	TimeForm         string   // "12", "24", or "language": as the language does
	English          string   // how dates are written in English: "american" or "british"
	Calendar         string   // of dates in Persian: "gregorian" or "jalali"
	Accent           string   // "#rrggbb"; "": the standard colour
	Face             Face
	Map              Map
	Submissions      Submissions
	Texts            map[string]SiteText // what the site says of itself in other languages than its own
	ContentLanguages []string            // that texts are written in, as they stand in for one another; none: the site's own alone
}

// Submissions says whether anybody may send events to the site.
type Submissions struct {
	On    bool
	Terms string // that senders agree to, plain text; "": none
}

// DefaultSettings are those of a site that says nothing (rule 5.4).
func DefaultSettings() Settings {
	return Settings{PerPage: 15, CurrencySymbol: "$", CurrencyCode: "USD", CurrencyPosition: "prefix",
		DateForm: "long", TimeForm: "language", English: "american", Calendar: "gregorian",
		Face: Face{Theme: "plain", Corners: "slight", Font: "theme"}}
}

// ErrChanged says that somebody else has changed the settings meanwhile.
var ErrChanged = errors.New("settings were changed meanwhile")

// Offers reports whether the public pages are to be had in a language. The
// site's own is always among them.
func (s *Site) Offers(language string) bool {
	return len(s.Settings.Languages) == 0 || language == s.Language || slices.Contains(s.Settings.Languages, language)
}

// Mark returns a text that changes with whatever Configure can change.
func (s *Site) Mark() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %+v", s.Name, s.Timezone, s.Language, s.Settings))
	return hex.EncodeToString(sum[:12])
}

// ConfigFields are the arguments of what a site's own administrators change.
type ConfigFields struct {
	Name      args.Opt[string]    `arg:"name,required,nonempty,max=1000"`
	Timezone  args.Opt[args.Zone] `arg:"timezone,nonull"`
	Language  args.Opt[string]    `arg:"language,nonempty,nonull,max=35"`
	WeekStart args.Opt[int]       `arg:"week_start,min=0,max=7,nonull"`
	DateForm  args.Opt[string]    `arg:"date_form,nonempty,nonull,enum=long|medium|short|iso"`
	TimeForm  args.Opt[string]    `arg:"time_form,nonempty,nonull,enum=language|12|24"`
	English   args.Opt[string]    `arg:"english,nonempty,nonull,enum=american|british"`
	Calendar  args.Opt[string]    `arg:"calendar,nonempty,nonull,enum=gregorian|jalali"`
	Accent    args.Opt[string]    `arg:"accent,max=7"`
	FaceFields
	MapFields
	Submissions     args.Opt[bool]   `arg:"submissions,nonull"`
	SubmissionTerms args.Opt[string] `arg:"submission_terms,max=10000"`
	SettingsFields
	Texts args.Opt[args.Named[SiteTexts]] `arg:"translations,entries=100"`
}

var accentForm = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// Check refuses colours in other forms than #rrggbb, no time zone, and what
// SettingsFields refuses.
func (f *ConfigFields) Check(found *args.Problems) {
	f.SettingsFields.Check(found)
	f.FaceFields.check(found)
	f.MapFields.check(found)
	if zone, ok := f.Timezone.Get(); ok && zone.Name() == "" {
		found.Invalid("timezone", "problem.empty", nil)
	}
	if accent := f.Accent.Or(""); accent != "" && !accentForm.MatchString(strings.ToLower(accent)) {
		found.Invalid("accent", "problem.accent", nil)
	}
}

// Configure changes the Scope's site as far as its own administrators may, when
// it still has the mark they saw; "" is any. It returns ErrUnauthenticated,
// ErrForbidden, ErrChanged and *args.Problems.
func (s *Sites) Configure(ctx context.Context, f *ConfigFields, mark string) (*Site, error) {
	scope, err := From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(ManageSite); err != nil {
		return nil, err
	}
	site, err := s.store.Configure(ctx, scope.Site.Slug, func(site *Site) error {
		switch {
		case site.ID != scope.Site.ID:
			return ErrNoSite
		case mark != "" && mark != site.Mark():
			return ErrChanged
		}
		return s.configure(f, site)
	})
	if err != nil {
		return nil, wrap("configure site", err)
	}
	s.forget(site.ID)
	return site, nil
}

// CheckConfiguration returns everything that Configure would find wrong, as
// *args.Problems, and stores nothing. It returns ErrUnauthenticated and
// ErrForbidden.
func (s *Sites) CheckConfiguration(ctx context.Context, f *ConfigFields) error {
	scope, err := From(ctx)
	if err != nil {
		return err
	}
	if err := scope.Principal.Require(ManageSite); err != nil {
		return err
	}
	site := *scope.Site
	return s.configure(f, &site)
}

// Configuration returns the Scope's site as it stands, for those who may
// configure it. It returns ErrUnauthenticated and ErrForbidden.
func (s *Sites) Configuration(ctx context.Context) (*Site, error) {
	scope, err := From(ctx)
	if err != nil {
		return nil, err
	}
	if err := scope.Principal.Require(ManageSite); err != nil {
		return nil, err
	}
	site, err := s.store.BySlug(ctx, scope.Site.Slug)
	if err == nil && site.ID != scope.Site.ID {
		err = ErrNoSite
	}
	return site, wrap("read configuration", err)
}

// configure writes what is given into the site.
func (s *Sites) configure(f *ConfigFields, site *Site) error {
	found, before := &args.Problems{}, site.ownText()
	common := &SiteFields{ProfileFields: ProfileFields{Name: f.Name, Timezone: f.Timezone, Language: f.Language}}
	if err := found.Add(s.patch(common, site)); err != nil {
		return err
	}
	s.settings(&f.SettingsFields, site, found)
	f.FaceFields.patch(&site.Settings.Face)
	f.MapFields.patch(&site.Settings.Map)
	f.Submissions.Patch(&site.Settings.Submissions.On, false)
	if f.SubmissionTerms.Given() {
		site.Settings.Submissions.Terms = lines(f.SubmissionTerms.Or(""))
	}
	f.WeekStart.Patch(&site.Settings.WeekStart, 0)
	f.DateForm.Patch(&site.Settings.DateForm, "long")
	f.TimeForm.Patch(&site.Settings.TimeForm, "language")
	f.English.Patch(&site.Settings.English, "american")
	f.Calendar.Patch(&site.Settings.Calendar, "gregorian")
	if f.Accent.Given() {
		site.Settings.Accent = strings.ToLower(f.Accent.Or(""))
	}
	site.reword(f.Texts.Or(nil), before, found)
	return found.Err()
}

// offered returns the languages named and the site's own, in their order; none
// when those are all there are, so that one to come is among them.
func (s *Sites) offered(names []string, own string, found *args.Problems) []string {
	for _, name := range names {
		if name != "" && !slices.Contains(s.languages, name) {
			found.Invalid("languages", "problem.language", map[string]any{"Allowed": strings.Join(s.languages, ", ")})
			return nil
		}
	}
	var list []string
	for _, known := range s.languages {
		if known == own || slices.Contains(names, known) {
			list = append(list, known)
		}
	}
	if len(list) == len(s.languages) {
		return nil
	}
	return list
}
