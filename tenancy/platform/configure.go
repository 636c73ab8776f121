package platform

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// ConfigFields are the arguments that a site's own administrators change.
type ConfigFields struct {
	Name      args.Opt[string]    `arg:"name,required,nonempty,line,max=1000"`
	Timezone  args.Opt[args.Zone] `arg:"timezone,nonull"`
	Language  args.Opt[string]    `arg:"language,nonempty,nonull,max=35"`
	WeekStart args.Opt[int]       `arg:"week_start,min=0,max=7,nonull"`
	DateForm  args.Opt[string]    `arg:"date_form,nonempty,nonull,enum=long|medium|short|iso"`
	TimeForm  args.Opt[string]    `arg:"time_form,nonempty,nonull,enum=language|12|24"`
	English   args.Opt[string]    `arg:"english,nonempty,nonull,enum=american|british"`
	Calendar  args.Opt[string]    `arg:"calendar,nonempty,nonull,enum=gregorian|jalali"`
	Accent    args.Opt[string]    `arg:"accent,max=7"`
	FaceFields
	Seasons         args.Opt[args.Objects[SeasonFields]] `arg:"seasons,entries=4,nonull"`
	Submissions     args.Opt[bool]                       `arg:"submissions,nonull"`
	SubmissionTerms args.Opt[string]                     `arg:"submission_terms,max=10000"`
	Reports         args.Opt[bool]                       `arg:"reports,nonull"`
	Numbers         args.Opt[bool]                       `arg:"numbers,nonull"`
	Review          args.Opt[bool]                       `arg:"review,nonull"`
	Letters         args.Opt[string]                     `arg:"mailing,nonempty,nonull,enum=off|on|paused"`
	SettingsFields
	Texts args.Opt[args.Named[SiteTexts]] `arg:"translations,entries=100"`
}

var accentForm = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// Check refuses colors not in the form #rrggbb, an empty time zone, and invalid SettingsFields and FaceFields.
func (f *ConfigFields) Check(found *args.Problems) {
	f.SettingsFields.Check(found)
	f.FaceFields.check(found)
	if zone, ok := f.Timezone.Get(); ok && zone.Name() == "" {
		found.Invalid("timezone", "problem.empty", nil)
	}
	if accent := f.Accent.Or(""); accent != "" && !accentForm.MatchString(strings.ToLower(accent)) {
		found.Invalid("accent", "problem.accent", nil)
	}
}

// managing returns the scope if its principal may manage the site.
func managing(ctx context.Context) (*tenancy.Scope, error) {
	return tenancy.Permitted(ctx, tenancy.WriteSettings, tenancy.ManageSite)
}

// Configure changes the settings of the Scope's site that its own administrators may change. mark is the Mark of
// the site that the caller has read; with "", it is not checked. It returns ErrUnauthenticated, ErrForbidden,
// ErrChanged if the site's Mark differs, and *args.Problems.
func (s *Sites) Configure(ctx context.Context, f *ConfigFields, mark string) (*tenancy.Site, error) {
	scope, err := managing(ctx)
	if err != nil {
		return nil, err
	}
	site, err := s.store.Configure(ctx, scope.Site.Slug, func(site *tenancy.Site) error {
		switch {
		case site.ID != scope.Site.ID:
			return tenancy.ErrNoSite
		case mark != "" && mark != site.Mark():
			return ErrChanged
		}
		return s.configure(f, site)
	})
	if err != nil {
		return nil, tenancy.Wrap("configure site", err)
	}
	s.forget(site.ID)
	return site, nil
}

// CheckConfiguration returns all problems that Configure would find, as *args.Problems, and stores nothing. It
// returns ErrUnauthenticated and ErrForbidden.
func (s *Sites) CheckConfiguration(ctx context.Context, f *ConfigFields) error {
	_, err := s.Configured(ctx, f)
	return err
}

// Configured returns the Scope's site as Configure would leave it, and stores nothing. It returns the errors of CheckConfiguration.
func (s *Sites) Configured(ctx context.Context, f *ConfigFields) (*tenancy.Site, error) {
	scope, err := managing(ctx)
	if err != nil {
		return nil, err
	}
	site := *scope.Site
	return &site, s.configure(f, &site)
}

// LanguageChange returns how a change of the Scope's site's language would affect its texts. It returns
// ErrUnauthenticated and ErrForbidden.
func (s *Sites) LanguageChange(ctx context.Context, to string) (tenancy.LanguageChange, error) {
	site, err := s.Configuration(ctx)
	if err != nil {
		return tenancy.LanguageChange{}, err
	}
	done, err := s.store.CountTexts(ctx, site.ID, site.Language, to)
	return done, tenancy.Wrap("count texts", err)
}

// Configuration returns the Scope's site as it is stored. It is for people who may configure the site. It returns
// ErrUnauthenticated and ErrForbidden.
func (s *Sites) Configuration(ctx context.Context) (*tenancy.Site, error) {
	scope, err := managing(ctx)
	if err != nil {
		return nil, err
	}
	site, err := s.store.BySlug(ctx, scope.Site.Slug)
	if err == nil && site.ID != scope.Site.ID {
		err = tenancy.ErrNoSite
	}
	return site, tenancy.Wrap("read configuration", err)
}

// configure sets the sent arguments in the site.
func (s *Sites) configure(f *ConfigFields, site *tenancy.Site) error {
	found := &args.Problems{}
	s.speak(f.Language, site, found)
	before := site.OwnText()
	common := &SiteFields{ProfileFields: ProfileFields{Name: f.Name, Timezone: f.Timezone}}
	if err := found.Add(s.patch(common, site)); err != nil {
		return err
	}
	s.settings(&f.SettingsFields, site, found)
	if position, chosen := f.CurrencyPosition.Get(); chosen { // a person who saw the position has chosen it
		site.Settings.CurrencyFixed = position != tenancy.ByLanguage
	}
	f.FaceFields.patch(&site.Settings.Face)
	if list, given := f.Seasons.Get(); given {
		setSeasons(site, list)
	}
	f.Submissions.Patch(&site.Settings.Submissions.On, false)
	f.Reports.Patch(&site.Settings.Reports, true)
	f.Numbers.Patch(&site.Settings.Numbers, true)
	f.Review.Patch(&site.Settings.Review, false)
	if f.SubmissionTerms.Given() {
		site.Settings.Submissions.Terms = lines(f.SubmissionTerms.Or(""))
	}
	if letters, ok := f.Letters.Get(); ok {
		site.Settings.Mailing = tenancy.Mailing(letters)
	}
	f.WeekStart.Patch(&site.Settings.WeekStart, 0)
	f.DateForm.Patch(&site.Settings.DateForm, "long")
	f.TimeForm.Patch(&site.Settings.TimeForm, "language")
	f.English.Patch(&site.Settings.English, "american")
	f.Calendar.Patch(&site.Settings.Calendar, "gregorian")
	if f.Accent.Given() {
		site.Settings.Accent = strings.ToLower(f.Accent.Or(""))
	}
	reword(site, f.Texts.Or(nil), before, found)
	dropLeads(site)
	return found.Err()
}

// language returns the tag of the language with a name, ignoring case: a language of the interface or any other
// language. It returns "" if there is none.
func (s *Sites) language(name string) string {
	at := slices.IndexFunc(s.languages, func(known string) bool { return strings.EqualFold(known, name) })
	if at < 0 {
		return tenancy.PathLanguage(name)
	}
	return s.languages[at]
}

// offered returns the languages of the public pages: the sent ones and the site's own, in the order of the interface.
// If these are all languages of the interface and of the site's texts, it returns none, which means all, so that
// languages added later are offered as well.
func (s *Sites) offered(names []string, own string, written []string, found *args.Problems) []string {
	var named, list []string
	for _, name := range names {
		known := s.language(name)
		if name != "" && known == "" {
			found.Invalid("languages", "problem.language_tag", map[string]any{"Value": name})
			return nil
		}
		named = append(named, known)
	}
	for _, known := range s.languages {
		if known == own || slices.Contains(named, known) {
			list = append(list, known)
		}
	}
	all := len(list) == len(s.languages)
	for _, other := range append([]string{own}, named...) {
		if other != "" && !slices.Contains(list, other) {
			list = append(list, other)
			all = all && (other == own || slices.Contains(written, other))
		}
	}
	for _, other := range written {
		all = all && slices.Contains(list, other)
	}
	if all {
		return nil
	}
	return list
}

// written returns the named languages, each once. If the site's own is missing, it comes first. If there is no
// other language, written returns none.
func (s *Sites) written(names []string, own string, found *args.Problems) []string {
	var list []string
	for _, name := range names {
		switch known := s.language(name); {
		case name == "":
		case known == "":
			found.Invalid("content_languages", "problem.language_tag", map[string]any{"Value": name})
			return nil
		case !slices.Contains(list, known):
			list = append(list, known)
		}
	}
	if !slices.Contains(list, own) {
		list = append([]string{own}, list...)
	}
	if len(list) == 1 {
		return nil
	}
	return list
}

// ErrChanged says that someone else has changed the settings in the meantime.
var ErrChanged = errors.New("settings were changed meanwhile")
