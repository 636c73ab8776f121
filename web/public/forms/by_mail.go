package forms

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/letter"
	"github.com/kalends/kalends/web/ui"
)

// byMail is the form for subscribing to letters about some events, or to reminders of kept events.
type byMail struct {
	*submission
	about  *newsletters.About
	offers []offer
}

// offer is a choice of events for letters: the query of a list, and the name.
type offer struct{ query, name string }

// offersTo returns what people can choose: all events, those for children, those of a category with coming events, and those of
// the page from which they come.
func (w *Pages) offersTo(ctx context.Context, about *newsletters.About) ([]offer, error) {
	c := &layout.Choice{}
	c.Coming()
	if err := w.layout.Count(ctx, c, false); err != nil {
		return nil, err
	}
	list := []offer{{"", ui.Say(ctx, "letters.all")}}
	young := ui.Say(ctx, "near.children")
	if c.ForChildren {
		list = append(list, offer{"?for=children", young})
	}
	i18n.InOrder(tenancy.Current(ctx).Language, c.Facets.Categories, func(f calendar.Facet) string { return f.Name })
	for _, one := range c.Facets.Categories {
		if !c.ForChildren || !strings.EqualFold(one.Name, young) { // which those for children include
			list = append(list, offer{"?" + url.Values{"category": {one.Slug}}.Encode(), one.Name})
		}
	}
	if own := about.Query(); !slices.ContainsFunc(list, func(o offer) bool { return o.query == own }) {
		list = slices.Insert(list, 0, offer{own, letter.AboutText(ctx, about)})
	}
	return list, nil
}

// reminds reports whether the form is for reminders.
func (f *byMail) reminds() bool { return len(f.about.Kept) > 0 }

// say returns a text about letters or about reminders.
func (f *byMail) say(ctx context.Context, key string) string {
	if f.reminds() {
		return ui.SayWith(ctx, "remind"+key, "Days", unconfirmedDays(ctx))
	}
	return ui.SayWith(ctx, "letters"+key, "Days", unconfirmedDays(ctx))
}

// titled is the title of pages about a subscription with a filter.
func titled(ctx context.Context, f newsletters.Filter) string {
	if f.None() {
		return ui.Say(ctx, "letters")
	}
	return ui.Say(ctx, "remind")
}

// unconfirmedDays returns how many days an unconfirmed e-mail address is kept.
func unconfirmedDays(ctx context.Context) string {
	return ui.DatesIn(ctx).Number(int(newsletters.UnconfirmedLife.Hours() / 24))
}

var byMailTable = args.TableOf(reflect.TypeFor[newsletters.Fields]())

// byMailFields are the fields that can have problems.
var byMailFields = []string{"email", "ids"}

// askByMail shows the form.
func (w *Pages) askByMail(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if !w.letters.Open(ctx) {
		return nil, calendar.ErrNotFound
	}
	filter, err := w.letterFilter(ctx, a)
	if err != nil {
		return nil, err
	}
	return w.byMailForm(ctx, &submission{names: byMailFields, values: url.Values{}}, filter, 0)
}

// letterFilter reads from an address which events the letters list, or which events to remind people of.
func (w *Pages) letterFilter(ctx context.Context, a layout.Asked) (f newsletters.Filter, err error) {
	if f.Keeping, err = layout.ReadKept(a); err != nil || !f.None() {
		return f, err
	}
	c, err := w.layout.ReadChoice(ctx, a, newsletters.Path)
	if err != nil {
		return f, err
	}
	query, err := url.ParseQuery(a.All)
	if err != nil {
		return f, calendar.ErrNotFound
	}
	venues, err := layout.ReadIDs(query["venue"])
	if err != nil || len(venues.Or(nil)) > layout.MostChosen {
		return f, calendar.ErrNotFound
	}
	f = newsletters.Filter{Search: c.Values.Get("search"), Cities: c.Cities, Venues: venues.Or(nil), Organizers: c.Organizer.Or(nil),
		VenuesExclude: c.VenueExclude.Or(nil), Free: c.Free, Featured: c.Featured.Or(false), Taking: c.Taking,
		Audience: c.Audience.Or(nil), Accessibility: c.Accessibility.Or(nil),
		Spoken: c.Spoken.Or(nil), Fields: c.ByFields(), Children: c.Children != nil}
	if c.Area != nil {
		f.Area = &c.Area.Circle
	}
	for _, one := range []struct {
		taxonomy calendar.Taxonomy
		refs     args.Opt[args.Refs]
		into     *[]int64
	}{{calendar.Categories, c.Categories, &f.Categories}, {calendar.Tags, c.Tags, &f.Tags},
		{calendar.Categories, c.CategoriesExclude, &f.CategoriesExclude}, {calendar.Tags, c.TagsExclude, &f.TagsExclude}} {
		for _, ref := range one.refs.Or(nil) {
			term, err := w.layout.Term(ctx, one.taxonomy, ref.Text)
			if err != nil {
				return f, err
			}
			*one.into = append(*one.into, term.ID)
		}
	}
	return f, nil
}

// byMailForm renders the form in its current state.
func (w *Pages) byMailForm(ctx context.Context, f *submission, filter newsletters.Filter, status int) (*layout.Shown, error) {
	about, err := w.letters.About(ctx, filter)
	if err != nil {
		return nil, err
	}
	if f.values.Get("period") == "" {
		f.values.Set("period", string(newsletters.Weekly))
	}
	if status == 0 {
		f.values.Set("about", about.Query())
		for _, one := range about.Parts {
			f.values.Add("ids", one.Value)
		}
	}
	form := &byMail{submission: f, about: about}
	if !form.reminds() {
		if form.offers, err = w.offersTo(ctx, about); err != nil {
			return nil, err
		}
	}
	p := &layout.Page{Title: form.say(ctx, ""), Path: newsletters.Path, Query: about.Query(), Robots: "noindex", Sheet: "submit.css"}
	return &layout.Shown{Page: p, Body: byMailPage(form), Status: status, Secret: true}, nil
}

// subscribeByMail processes the form. Its response never tells whether the site knows the e-mail address.
func (w *Pages) subscribeByMail(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	switch {
	case !w.letters.Open(ctx):
		return nil, calendar.ErrNotFound
	case a.Foreign:
		return nil, tenancy.ErrForbidden
	case a.Form.Get(lure) != "": // bots must not learn why
		return w.mailedPage(ctx, ui.Say(ctx, "letters")), nil
	}
	filter, err := w.letterFilter(ctx, a)
	if err != nil {
		return nil, err
	}
	f := &submission{names: byMailFields, values: a.Form}
	values := args.Values{}
	for _, name := range []string{"email", "period"} {
		if text := strings.TrimSpace(a.Form.Get(name)); text != "" {
			values[name] = text
		}
	}
	fields, found, chosen := &newsletters.Fields{}, &args.Problems{}, filter
	if about, given := a.Form["about"]; given && filter.None() {
		a.All = strings.TrimPrefix(about[0], "?")
		if chosen, err = w.letterFilter(ctx, a); err != nil {
			return nil, err
		}
	}
	err = found.Add(byMailTable.ParseAll(values, args.Creating, fields))
	if !filter.None() && err == nil {
		if chosen.Keeping, err = services.ReadKeeping(a.Form["ids"]); chosen.None() {
			found.Missing("ids")
		}
	}
	if err = cmp.Or(err, found.Err()); err == nil {
		err = w.letters.Subscribe(ctx, fields, chosen)
	}
	if err == nil {
		return w.mailedPage(ctx, titled(ctx, filter)), nil
	}
	if status := f.failed(ctx, err); status != 0 {
		return w.byMailForm(ctx, f, filter, status)
	}
	return nil, err
}

// mailedPage explains the next step.
func (w *Pages) mailedPage(ctx context.Context, title string) *layout.Shown {
	p := &layout.Page{Title: title, Path: newsletters.Path, Robots: "noindex", Sheet: "submit.css"}
	return &layout.Shown{Page: p, Body: byMailSaid(ui.Say(ctx, "submit.mailed.title"), ui.Say(ctx, "letters.mailed")), Secret: true}
}

// linked is the page to which a link in a letter leads.
type linked struct {
	path, code string
	title      string
	text       string
	button     string
	about      *newsletters.About // nil: nothing about the subscription is shown
	period     newsletters.Period
}

// showLinked shows the page of a link. Only its button changes anything, because programs follow links.
func (w *Pages) showLinked(l *linked) *layout.Shown {
	p := &layout.Page{Title: l.title, Path: l.path, Query: codeQuery(l.code), Sheet: "submit.css"}
	return &layout.Shown{Page: p, Body: linkedPage(l), Secret: true, Unseen: true}
}

// saidLinked says what was done. In another language, the page is at the path with the query.
func (w *Pages) saidLinked(title, text, path, query string) *layout.Shown {
	p := &layout.Page{Title: title, Path: path, Query: query, Sheet: "submit.css"}
	return &layout.Shown{Page: p, Body: byMailSaid(title, text), Secret: true, Unseen: true}
}

// overLinked responds to an expired link.
func (w *Pages) overLinked(ctx context.Context, err error) (*layout.Shown, error) {
	if !errors.Is(err, calendar.ErrNotFound) {
		return nil, err
	}
	p := &layout.Page{Title: i18n.T(ctx, "admin.voucher.over", nil), Path: newsletters.Path, Sheet: "submit.css"}
	return &layout.Shown{Page: p, Body: sentOverPage(), Status: http.StatusGone, Secret: true, Unseen: true}, nil
}

// codeIn returns the code of a link: from the form or, as mail programs send it, from the address.
func codeIn(a layout.Asked) string {
	if code := a.Form.Get("code"); code != "" {
		return code
	}
	return a.Query("code")
}

// codeQuery is the query of an address with a code.
func codeQuery(code string) string { return "?" + url.Values{"code": {code}}.Encode() }

// askConfirm asks for confirmation of a subscription.
func (w *Pages) askConfirm(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	found, err := w.letters.Find(ctx, codeIn(a))
	if err != nil {
		return w.overLinked(ctx, err)
	}
	if !found.Confirmed.IsZero() {
		return w.confirmed(ctx, found, codeIn(a)), nil
	}
	about, err := w.letters.About(ctx, found.Filter)
	if err != nil {
		return w.overLinked(ctx, err)
	}
	text := ui.SayWith(ctx, "letters.confirm", "Site", ui.SiteName(ctx))
	if found.Period == newsletters.DayBefore {
		text = ui.SayWith(ctx, "remind.confirm", "Site", ui.SiteName(ctx))
	}
	return w.showLinked(&linked{path: newsletters.Path + "confirm/", code: codeIn(a), title: titled(ctx, found.Filter), about: about,
		period: found.Period, text: text, button: ui.Say(ctx, "submit.confirm")}), nil
}

// confirmByMail confirms a subscription, so that its letters are sent.
func (w *Pages) confirmByMail(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if a.Foreign {
		return nil, tenancy.ErrForbidden
	}
	found, err := w.letters.Confirm(ctx, codeIn(a))
	if err != nil {
		return w.overLinked(ctx, err)
	}
	return w.confirmed(ctx, found, codeIn(a)), nil
}

func (w *Pages) confirmed(ctx context.Context, s *newsletters.Subscription, code string) *layout.Shown {
	path, query := newsletters.Path+"confirm/", codeQuery(code)
	if s.Period == newsletters.DayBefore {
		return w.saidLinked(titled(ctx, s.Filter), ui.Say(ctx, "remind.confirmed"), path, query)
	}
	day := args.DayOf(args.WallTime(s.Issue, ui.SiteOf(ctx).Location))
	text := ui.SayWith(ctx, "letters.confirmed."+string(s.Period), "Day", ui.DatesIn(ctx).Full(day))
	return w.saidLinked(titled(ctx, s.Filter), text, path, query)
}

// askLeave asks for confirmation before a subscription ends.
func (w *Pages) askLeave(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if _, err := w.letters.Find(ctx, codeIn(a)); err != nil {
		return w.overLinked(ctx, err)
	}
	return w.showLinked(&linked{path: newsletters.Path + "leave/", code: codeIn(a), title: ui.Say(ctx, "letters.leave"),
		text: ui.SayWith(ctx, "letters.leave.text", "Site", ui.SiteName(ctx)), button: ui.Say(ctx, "letters.leave")}), nil
}

// leaveByMail ends a subscription. The secret in the link is sufficient, because mail programs send the form
// themselves (RFC 8058).
func (w *Pages) leaveByMail(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	if err := w.letters.Leave(ctx, codeIn(a)); err != nil {
		return w.overLinked(ctx, err)
	}
	return w.saidLinked(ui.Say(ctx, "letters"), ui.Say(ctx, "letters.left"), newsletters.Path, ""), nil
}
