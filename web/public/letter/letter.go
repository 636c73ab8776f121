// Package letter writes the letters that visitors subscribe to by e-mail: as HTML that any mail program can show, and as plain
// text.
package letter

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/programme"
	"github.com/kalends/kalends/web/ui"
)

// Writer implements newsletters.Writer.
type Writer struct{}

// Question implements newsletters.Writer.
func (Writer) Question(ctx context.Context, p newsletters.Period, about *newsletters.About, link string) *mail.Message {
	chosen := OftenText(ctx, p)
	if about != nil && !about.Typed() {
		chosen = ui.SayTwo(ctx, "filter.field", "Name", ui.Say(ctx, "letters.about"), "Value", AboutText(ctx, about)) + "\n" + chosen
	}
	data := map[string]any{
		"Site":   ui.SiteName(ctx),
		"Link":   link,
		"Chosen": chosen,
		"Days":   ui.DatesIn(ctx).Number(int(newsletters.UnconfirmedLife.Hours() / 24)),
	}
	text := i18n.T(ctx, "letter.subscribe.text", data)
	if p == newsletters.DayBefore {
		text = i18n.T(ctx, "letter.remind.question", data)
	}
	return &mail.Message{Name: ui.SiteName(ctx), Subject: i18n.T(ctx, "letter.subscribe.subject", data), Text: text + "\n"}
}

// letter is the content of a letter.
type letter struct {
	*programme.Programme

	subject     string
	why         string // the reader gets the letter
	ending      string // text of the link below the events
	rest        string // address of the list with the same events
	about       []string
	leave       string
	links       []tenancy.Link // links of the site, such as to the imprint
	home        string
	light, dark ui.Shade
}

// Letter implements newsletters.Writer. It writes no daily letter if all its events are on show.
func (Writer) Letter(ctx context.Context, i *newsletters.Issue) *mail.Message {
	l := &letter{
		Programme: programme.Of(ctx, i.Events, i.Days, calendar.OnShowAfter),
		leave:     i.Leave,
		home:      tenancy.Current(ctx).Base.Pages(),
	}
	if l.Empty() || i.Period == newsletters.Daily && len(l.Days) == 0 {
		return nil
	}
	if i.Period == newsletters.DayBefore {
		l.reminds(ctx, i)
	} else {
		l.lists(ctx, i)
	}
	for _, link := range footer(ctx) {
		if strings.HasPrefix(link.Address, "/") {
			link.Address = tenancy.Current(ctx).Base.Origin + link.Address
		}
		l.links = append(l.links, link)
	}
	accent, ok := ui.ReadColor(ui.SiteOf(ctx).Settings.Accent)
	if !ok {
		accent, _ = ui.ReadColor(ui.StandardAccent)
	}
	l.light, l.dark = ui.Shades(accent)
	var html bytes.Buffer
	if err := page(l).Render(ctx, &html); err != nil { // the context has ended
		return nil
	}
	return &mail.Message{Name: ui.SiteName(ctx), Subject: l.subject, Text: l.text(ctx), HTML: html.String()}
}

// lists describes which events a letter lists, and where to find more.
func (l *letter) lists(ctx context.Context, i *newsletters.Issue) {
	l.subject = i18n.T(ctx, "letter.issue.subject", map[string]any{"Site": ui.SiteName(ctx), "Time": l.Period})
	l.why = i18n.T(ctx, "letter.issue.why", map[string]any{"Site": ui.SiteName(ctx)})
	l.ending = i18n.T(ctx, "letter.issue.list", nil)
	if i.More > 0 {
		l.ending = i18n.T(ctx, "letter.issue.rest", nil)
	}
	query := "from=" + i.Days.First.Format("2006-01-02") + "&to=" + i.Days.Last.Format("2006-01-02")
	if chosen := i.About.Query(); chosen != "" {
		query = chosen[1:] + "&" + query
	}
	l.rest = l.home + "/events/?" + query
	for _, one := range i.About.Parts {
		if !one.Excluded() {
			l.about = append(l.about, PartName(ctx, one))
		}
	}
}

// reminds explains that a letter is a reminder, and where to find all events that the reader is reminded of.
func (l *letter) reminds(ctx context.Context, i *newsletters.Issue) {
	var titles []string
	for _, e := range i.Events {
		titles = append(titles, e.Title)
	}
	l.subject = i18n.T(ctx, "letter.remind.subject", map[string]any{"Titles": ui.Joined(titles[:min(len(titles), 3)]...)})
	l.why = i18n.T(ctx, "letter.remind.why", map[string]any{"Site": ui.SiteName(ctx)})
	l.ending = i18n.T(ctx, "letter.remind.list", nil)
	l.rest = l.home + services.KeptPath + i.About.Query()
}

// OftenText says how often letters come.
func OftenText(ctx context.Context, p newsletters.Period) string {
	return ui.SayTwo(ctx, "filter.field", "Name", ui.Say(ctx, "letters.period"), "Value", ui.Say(ctx, "letters."+string(p)))
}

// AboutText names the events of letters.
func AboutText(ctx context.Context, about *newsletters.About) string {
	var parts []string
	for _, part := range about.Parts {
		switch name := PartName(ctx, part); {
		case part.Excluded():
			parts = append(parts, ui.SayWith(ctx, "filter.without", "Name", name))
		case part.Param == "search":
			parts = append(parts, ui.SayWith(ctx, "search.results", "Words", name))
		default:
			parts = append(parts, name)
		}
	}
	return cmp.Or(ui.Joined(parts...), ui.Say(ctx, "letters.all"))
}

// PartName returns the name of a part of a filter.
func PartName(ctx context.Context, p newsletters.Part) string {
	field := ui.SiteOf(ctx).FieldNamed(calendar.ParamField(p.Param))
	switch {
	case p.Param == newsletters.AreaPart && p.Name != "":
		return ui.SayWith(ctx, "letters.area", "Places", p.Name)
	case p.Param == newsletters.AreaPart:
		return ui.Say(ctx, "letters.part")
	case p.Name != "":
		return p.Name
	case field != nil:
		return ui.AddedChoice(ctx, field, p.Value)
	case p.Param == "for":
		return ui.Say(ctx, "near.children")
	case p.Param == "cost":
		return ui.Say(ctx, "free")
	case p.Param == "featured":
		return ui.Say(ctx, "featured")
	case p.Param == "audience", p.Param == "accessibility", p.Param == "event_language":
		return ui.Fact(ctx, p.Param, p.Value)
	}
	return ui.Say(ctx, map[string]string{"online": "attendance.online", "here": "filter.here"}[p.Value])
}

// footer returns the links below the pages of the site.
func footer(ctx context.Context) []tenancy.Link {
	list, _ := tenancy.Links(tenancy.Current(ctx).Words().Footer)
	return list
}

// text returns the letter as plain text.
func (l *letter) text(ctx context.Context) string {
	var b strings.Builder
	b.WriteString(ui.Joined(l.Title, l.Period) + "\n")
	if len(l.about) > 0 {
		b.WriteString(ui.Joined(l.about...) + "\n")
	}
	for _, part := range l.Parts() {
		b.WriteString("\n\n" + part.Name + "\n" + strings.Repeat("-", min(len([]rune(part.Name)), 60)) + "\n")
		for _, e := range part.Entries {
			b.WriteString("\n" + e.Time + "  " + e.Title + "\n")
			if where := e.Where(); where != "" {
				b.WriteString(where + "\n")
			}
			b.WriteString(l.home + e.Path + "\n")
		}
	}
	b.WriteString("\n\n" + l.ending + ":\n" + l.rest + "\n\n-- \n" + l.why + "\n\n" + ui.Say(ctx, "letters.leave") + ":\n" + l.leave + "\n")
	for _, link := range l.links {
		b.WriteString("\n" + link.Text + ":\n" + link.Address + "\n")
	}
	return b.String()
}

// sheet is the style sheet for mail programs with a dark theme. Essential styles are in the elements.
func (l *letter) sheet() string {
	return `<style>:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){` +
		`.ground{background:#16181b !important}` +
		`.paper{background:#202327 !important;color:#eceae6 !important;border-color:#3a3e44 !important}` +
		`.soft{color:#b9b5ae !important}.link{color:` + l.dark.Accent.String() + ` !important}` +
		`.line{border-color:#3a3e44 !important}}</style>`
}

// ink is the style of a link.
func (l *letter) ink() templ.SafeCSS {
	return templ.SafeCSS("color:" + l.light.Accent.String() + ";")
}
