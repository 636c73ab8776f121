package frame

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/web/ui"
)

// shell is the data of a page's frame.
type shell struct {
	root           string // AdminRoot or ConsoleRoot
	title, section string
	bare           bool
	site           *tenancy.Site
	user           *tenancy.User
	csrf           string
	said           string
	saidOf         string // address of what it is about, or ""
	to             string // where to return to after a change of language
	script         string
	theme          tenancy.Theme
	lobby          bool   // the lobby can be reached from here
	undo           string // undo data of the action on the previous page, or ""
	desk           bool   // the administration starts with the overview
	waiting        map[attention.Kind]int
	refresh        bool              // the browser reloads the page after a few seconds
	support        *accounts.Session // session of the provider's support, or nil
}

func newShell(v *Visit, r *Reply) *shell {
	s := &shell{
		title:   r.Title,
		section: r.Section,
		bare:    r.Bare || v.Session == nil,
		site:    v.Scope().Site,
		user:    v.User,
		said:    saidText(v.Ctx, v.said),
		saidOf:  saidAddress(v.said),
		to:      Inside(cmp.Or(r.Here, v.Address())),
		script:  cmp.Or(r.Script, "admin.js"),
		waiting: v.Waiting,
		desk:    v.Desk,
		refresh: r.Refresh,
	}
	s.theme, s.root = v.Theme, AdminRoot
	switch {
	case s.site == nil && Console(v.Path):
		s.root = ConsoleRoot
	case s.site == nil && Lobby(v.Path):
		s.root = LobbyRoot
	}
	if v.Session != nil {
		s.csrf, s.theme = v.Session.CSRF, v.User.Theme
		if v.Session.Support {
			s.support = v.Session
		}
		if WritesIn(v.Undo) != nil || AllIn(v.Undo) != 0 {
			s.undo = v.Undo
		}
	}
	return s
}

// heading returns the text of the title bar.
func (s *shell) heading() string {
	if s.site == nil {
		return s.title
	}
	return s.title + " – " + s.site.Name
}

// siteTitle returns the full name of a site as a title attribute, because a narrow page may truncate it.
func (s *shell) siteTitle() templ.Attributes {
	if s.site == nil {
		return nil
	}
	return templ.Attributes{"title": s.site.Name}
}

// section is a part of the administration, and the rights needed to see its link.
type section struct {
	name, path string
	may        tenancy.Permission
}

// group is a part of the navigation. name is part of the key of its heading.
type group struct {
	name     string
	sections []section
}

// navigation has the links of the administration: daily work, the entries that events refer to, and the setup of
// the site. The link to people's own profile is at their name.
var navigation = []group{
	{"daily", []section{
		{"calendar", "", tenancy.EditOwn},
		{"desk", "/desk", tenancy.EditOwn},
		{"events", "/events", tenancy.EditOwn},
		{"submissions", "/submissions", submissions.Right},
		{"media", "/media", tenancy.EditOwn},
		{"texts", "/texts", tenancy.EditOwn},
		{"import", "/import", tenancy.EditOwn},
		{"sources", "/sources", tenancy.ManageSite},
		{"trash", "/trash", tenancy.EditOwn},
	}},
	{"book", []section{
		{"venues", "/venues", tenancy.EditOwn},
		{"organizers", "/organizers", tenancy.EditOwn},
		{"categories", "/categories", calendar.Categories.Right()},
		{"tags", "/tags", calendar.Tags.Right()},
	}},
	{"site", []section{
		{"embed", "/embed", tenancy.EditOwn},
		{"users", "/users", tenancy.ManageUsers},
		{"audit", "/audit", tenancy.EditOwn},
		{"numbers", "/numbers", tenancy.EditOthers},
		{"letters", "/letters", tenancy.ManageSite},
		{"webhooks", "/webhooks", tenancy.ManageSite},
		{"access", "/access", 0},
		{"fields", "/fields", tenancy.ManageSite},
		{"settings", "/settings", tenancy.ManageSite},
	}},
}

// consoleSections is the navigation of the console.
var consoleSections = []struct{ name, path, text string }{
	{"sites", "", "console.sites"},
	{"requests", "/requests", "console.requests"},
	{"plans", "/plans", "console.plans"},
	{"sharing", "/sharing", "console.sharing"},
	{"audit", "/audit", "nav.audit"},
}

// shutFor reports whether a section has nothing for the principal, because of the site's settings or the principal's area.
func shutFor(scope *tenancy.Scope, section string) bool {
	switch settings := &scope.Site.Settings; section {
	case "texts":
		return !scope.Site.Multilingual()
	case "submissions":
		return !settings.Submissions.On && !settings.Reports
	case "categories":
		return !calendar.MayMakeTerms(scope.Principal, calendar.Categories)
	case "numbers":
		return !settings.Numbers
	case "letters":
		return !settings.Mailing.Open()
	}
	return false
}

// open returns the part of the navigation that the principal may see. If the administration starts with the
// overview, the link to the calendar names a view.
func (s *shell) open(ctx context.Context) []group {
	var list []group
	scope := tenancy.Current(ctx)
	for _, g := range navigation {
		seen := group{name: g.name}
		for _, d := range g.sections {
			shut := shutFor(scope, d.name) && (d.name != "submissions" || s.waits(d.name) == 0)
			if s.support != nil { // support has no keys, and no history entries of its own
				shut = shut || d.name == "access" || d.name == "audit" && !scope.Principal.May(tenancy.ManageSite)
			}
			reported := s.waiting[attention.Submission] == 0 && s.waiting[attention.Report] > 0
			if d.name == "submissions" && reported {
				d.path += "/mistakes"
			}
			if d.path == "" && s.desk {
				d.path = "?view=month"
			}
			if scope.Principal.May(d.may) && !shut {
				seen.sections = append(seen.sections, d)
			}
		}
		if len(seen.sections) > 0 {
			list = append(list, seen)
		}
	}
	return list
}

// current returns the attributes that mark the link of the current section.
func (s *shell) current(name string) templ.Attributes {
	if name != s.section {
		return nil
	}
	return templ.Attributes{"aria-current": "page"}
}

// May reports whether the principal has the rights.
func May(ctx context.Context, rights tenancy.Permission) bool {
	return tenancy.Current(ctx).Principal.May(rights)
}

// saidValue encodes the message for the next page in a cookie: its key, a number, a name and an address.
func saidValue(key string, count int, name, address string) string {
	escaped := func(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "~", "%7E") }
	return strings.Join([]string{key, strconv.Itoa(count), escaped(name), escaped(address)}, "~")
}

// DaysValue encodes two days as the name in a message, which then names them.
func DaysValue(first, last time.Time) string {
	return first.Format(time.DateOnly) + "/" + last.Format(time.DateOnly)
}

// daysIn decodes the result of DaysValue.
func daysIn(name string) (first, last time.Time, ok bool) {
	from, to, _ := strings.Cut(name, "/")
	first, err := time.Parse(time.DateOnly, from)
	last, wrong := time.Parse(time.DateOnly, to)
	return first, last, err == nil && wrong == nil
}

// saidAddress is the address of what the message from the previous page is about, or "".
func saidAddress(value string) string {
	parts := strings.Split(value, "~")
	address, err := url.QueryUnescape(parts[len(parts)-1])
	if len(parts) != 4 || err != nil || !strings.HasPrefix(address, "/") || strings.Contains(address, "//") ||
		strings.ContainsAny(address, "\\\r\n\t") {
		return ""
	}
	return address
}

// Suffixes of message keys: sentences that the message ends with.
const (
	OfSeries  = "+series" // it is about a whole series
	OfDate    = "+date"   // it is about one date of a series
	AsBefore  = "+before" // what was published is public again
	WithVenue = "+venue"  // the new venue is published too
	WithMail  = "+mail"   // the sender of the submission is notified

	withReports = "+reports" // reported mistakes are done
)

// saidText returns the message from the previous page, or "" if the value is invalid.
func saidText(ctx context.Context, value string) string {
	parts := strings.Split(value, "~")
	if len(parts) < 3 {
		return ""
	}
	name, wrong := url.QueryUnescape(parts[2])
	n, err := strconv.Atoi(parts[1])
	if parts[0] == "" || err != nil || wrong != nil || n < 0 {
		return ""
	}
	if first, last, days := daysIn(name); days {
		name = ui.DatesIn(ctx).ShortSpan(first, last)
	}
	var texts []string
	for key := range strings.SplitSeq(parts[0], "+") {
		text := Counted(ctx, "said."+key, n, "Name", name)
		if text == "admin.said."+key {
			return ""
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}

// LanguageNames returns the languages of the interface.
func LanguageNames() []Pair {
	tags := i18n.Languages()
	list := make([]Pair, 0, len(tags))
	for _, tag := range tags {
		list = append(list, Pair{tag, i18n.NativeName(tag)})
	}
	return list
}

// StatusOf returns the name of a status, or the status itself if it is unknown.
func StatusOf[S ~string](ctx context.Context, s S) string {
	return TellOr(ctx, string(s), "status."+string(s))
}

// Number formats an integer with the digits of the language.
func Number(ctx context.Context, n int) string { return ui.DatesIn(ctx).Number(n) }

// Plain formats a number that serves as a name, such as a year or the id of a deleted user.
func Plain(ctx context.Context, n int) string { return ui.DatesIn(ctx).Plain(n) }

// IDText formats an id for addresses and forms.
func IDText(id int64) string { return strconv.FormatInt(id, 10) }

// sessionKey is the context key of the session.
type sessionKey struct{}

// CSRFOf returns the CSRF token for the forms of a request.
func CSRFOf(ctx context.Context) string {
	if s, ok := ctx.Value(sessionKey{}).(*accounts.Session); ok {
		return s.CSRF
	}
	return ""
}

// shownTyped reports whether a value of a pending form is meaningful to people.
func shownTyped(p Pair) bool {
	switch p.Name {
	case "to", "version", "base", "once", "seen", "repeat_from", "repeat_was", "repeat_month", "repeat_holidays", "repeat_named":
		return false
	}
	return strings.TrimSpace(p.Value) != "" && !strings.Contains(p.Name, "[") && p.Value != "0" && p.Value != "1"
}

// typedLabel returns the label of a field in a pending form, or the field's name if it has none.
func typedLabel(ctx context.Context, name string) string {
	f := &Form{Kind: "event"}
	if text := f.Label(ctx, name); !strings.HasPrefix(text, "admin.") {
		return text
	}
	return name
}
