package console

import (
	"context"
	"math"
	"net/url"
	"slices"
	"strconv"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/history"
	"github.com/kalends/kalends/web/ui"
)

// consoleList is a page of the list of sites.
type consoleList struct {
	form        *frame.Form // the filter
	plans       []frame.Pair
	items       []*tenancy.Site
	page, total int
	sum         tenancy.Usage // total usage of all found sites
}

const sitesPerPage = 50

// standings are the states offered in the filter.
var standings = []string{string(tenancy.Active), string(tenancy.ReadOnly), string(tenancy.Closed), string(tenancy.Deleted)}

func (w *Pages) sites(v *frame.Visit, _ string) (*frame.Reply, error) {
	l := &consoleList{form: &frame.Form{Values: v.Query}, page: 1}
	if n, err := strconv.Atoi(v.Query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	if !slices.Contains(platform.SiteSorts, l.form.Get("sort")) {
		l.form.Values.Del("sort")
	}
	f := filterOf(l.form)
	f.Page, f.PerPage = args.Some(l.page), args.Some(sitesPerPage)
	found, err := w.platform.Sites.Sorted(v.Ctx, f, l.form.Get("sort"))
	if err != nil {
		return nil, err
	}
	if len(found.Items) == 0 && l.page > 1 {
		return &frame.Reply{Redirect: l.address(1)}, nil
	}
	if l.sum, err = w.platform.Sites.Sums(v.Ctx, f); err != nil {
		return nil, err
	}
	if l.plans, err = w.planChoices(v.Ctx); err != nil {
		return nil, err
	}
	l.items, l.total = found.Items, found.Total
	return &frame.Reply{Title: frame.Tell(v.Ctx, "console.sites"), Section: "sites", Body: consoleSitesPage(l)}, nil
}

// filterOf reads the filter of the list, and ignores an unknown state.
func filterOf(form *frame.Form) *platform.SiteFilter {
	if !slices.Contains(standings, form.Get("state")) {
		form.Values.Del("state")
	}
	f := &platform.SiteFilter{State: args.Some(form.Get("state")), Plan: args.Some(frame.Cut(form.Get("plan"), 63))}
	f.Search = args.Some(frame.Cut(form.Get("search"), 500))
	return f
}

// sums returns the total usage of the sites that were found, with labels.
func (l *consoleList) sums(ctx context.Context) []frame.Pair {
	megabytes := ui.DatesIn(ctx).Decimal(math.Ceil(float64(l.sum.MediaBytes)/(history.Megabyte/100)) / 100)
	return []frame.Pair{
		{Name: frame.Tell(ctx, "console.use.events"), Value: frame.Number(ctx, int(l.sum.Events))},
		{Name: frame.Tell(ctx, "console.use.users"), Value: frame.Number(ctx, int(l.sum.Users))},
		{Name: frame.Tell(ctx, "console.use.media"), Value: megabytes}}
}

func (l *consoleList) pages() int { return (l.total + sitesPerPage - 1) / sitesPerPage }

func (l *consoleList) filtered() bool {
	return l.form.Get("search") != "" || l.form.Get("state") != "" || l.form.Get("plan") != ""
}

// address returns the address of a page of the list.
func (l *consoleList) address(page int) string {
	q := url.Values{}
	for _, name := range []string{"search", "state", "plan", "sort"} {
		if text := l.form.Get(name); text != "" {
			q.Set(name, text)
		}
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return frame.ConsoleRoot
	}
	return frame.ConsoleRoot + "?" + q.Encode()
}

// sortLabels are the keys of the labels of platform.SiteSorts.
var sortLabels = map[string]string{"name": "field.name", "state": "console.state", "plan": "console.plan",
	"events": "console.use.events", "media": "console.use.media", "changed": "column.modified"}

// sorts returns the choices for sorting the list.
func sorts(ctx context.Context) []frame.Pair {
	list := []frame.Pair{{Name: "", Value: frame.Tell(ctx, "field.slug")}}
	for _, by := range platform.SiteSorts {
		list = append(list, frame.Pair{Name: by, Value: frame.Tell(ctx, sortLabels[by])})
	}
	return list
}

func siteAddress(slug string) string { return frame.ConsoleRoot + "/sites/" + url.PathEscape(slug) }
