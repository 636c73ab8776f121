package tenancy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// Settings are the settings that a site's administrators choose.
type Settings struct {
	PerPage          int      // entries of a list page, 1 to 50
	CurrencySymbol   string   // shown with prices that have no currency of their own
	CurrencyCode     string   // ISO 4217, for structured data
	CurrencyPosition string   // "prefix" or "postfix"
	CurrencyFixed    bool     // an administrator has chosen the position; pages in all languages have it
	Languages        []string // of the public pages; none: all that are available
	WeekStart        int      // 1 for Monday to 7 for Sunday; 0: as usual in the language
	DateForm         string   // "long", "medium", "short" or "iso"
	TimeForm         string   // "12", "24", or "language": as usual in the language
	English          string   // how dates are written in English: "american" or "british"
	Calendar         string   // of dates in Persian: "gregorian" or "jalali"
	Accent           string   // "#rrggbb"; "": the standard color
	Face             Face
	Seasons          [MostSeasons]Season // a season without days is not used
	Map              Map
	Submissions      Submissions
	Reports          bool // anyone may report mistakes in events
	Numbers          bool // views of events are counted
	Review           bool // events that authors publish wait for an editor
	Mailing          Mailing
	Texts            map[string]SiteText // the site's own texts in other languages
	ContentLanguages []string            // in which texts are written; earlier ones are fallbacks for later ones; none: only its own
	Share            Share
	Listed           bool // listed on the home page of the platform
}

// ByLanguage is written for CurrencyPosition if each page has the symbol where its language has it.
const ByLanguage = "language"

// Share says which other sites of the installation may receive the events of a site.
type Share struct {
	With []string // slugs of sites, or Everyone; none: no site
	On   bool     // Share also applies to events from sources
}

// The values of Share.With and Share.Names that are not slugs.
const (
	Everyone = "*"
	Nobody   = "nobody" // the value that forms and the API use for sharing with no site
)

// Names returns the values that people see and enter for With: nobody, everyone, or slugs.
func (s Share) Names() []string {
	switch {
	case len(s.With) == 0:
		return []string{Nobody}
	case slices.Contains(s.With, Everyone):
		return []string{"everyone"}
	}
	return s.With
}

// Gives reports whether the site shares its events with another site.
func (s *Site) Gives(to *Site) bool {
	with := s.Settings.Share.With
	return s.Standing() == Active && s.ID != to.ID && (slices.Contains(with, Everyone) || slices.Contains(with, to.Slug))
}

// Submissions says whether visitors may submit events to the site.
type Submissions struct {
	On    bool
	Terms string // terms that senders must agree to, plain text; "": none
}

// Mailing says whether visitors can receive the events of the site by e-mail.
type Mailing string

// The values of Mailing.
const (
	MailingOff    Mailing = "off" // nobody can subscribe, and nothing is sent
	MailingOn     Mailing = "on"
	MailingPaused Mailing = "paused" // people can subscribe, but no letters are sent
)

// Open reports whether people can subscribe.
func (m Mailing) Open() bool { return m == MailingOn || m == MailingPaused }

// DefaultSettings are the settings of a site that sets none (rule 5.4).
func DefaultSettings() Settings {
	return Settings{PerPage: 15, CurrencySymbol: "$", CurrencyCode: "USD", CurrencyPosition: "prefix",
		DateForm: "long", TimeForm: "language", Mailing: MailingOff, English: "american", Calendar: "gregorian",
		Face: Face{Theme: "plain", Corners: "slight", Font: "theme"}, Reports: true, Numbers: true}
}

// Offers reports whether the public pages are available in a language. They are always available in the site's own
// language.
func (s *Site) Offers(language string) bool {
	return len(s.Settings.Languages) == 0 || language == s.Language || slices.Contains(s.Settings.Languages, language)
}

// Mark returns a text that changes when Configure changes any setting.
func (s *Site) Mark() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %+v", s.Name, s.Timezone, s.Language, s.Settings))
	return hex.EncodeToString(sum[:12])
}

// Map says where the maps on the public pages of a site come from.
type Map struct {
	Tiles  string // URL of map tiles, with {z}, {x} and {y}; "": no maps
	Credit string // credit of the tiles: words | address, or ""
}
