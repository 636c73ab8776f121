package web

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// consoleList is a page of the sites.
type consoleList struct {
	form        *form // the filter
	plans       []pair
	items       []*tenancy.Site
	page, total int
}

const sitesPerPage = 50

// standings are the states of sites to choose from.
var standings = []string{string(tenancy.Active), string(tenancy.ReadOnly), string(tenancy.Closed), string(tenancy.Deleted)}

func (w *admin) consoleSites(v *visit, _ string) (*reply, error) {
	l := &consoleList{form: &form{values: v.query}, page: 1}
	if n, err := strconv.Atoi(v.query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	if !slices.Contains(standings, l.form.get("state")) {
		l.form.values.Del("state")
	}
	f := &tenancy.SiteFilter{State: args.Some(l.form.get("state")), Plan: args.Some(cut(l.form.get("plan"), 63))}
	f.Page, f.PerPage, f.Search = args.Some(l.page), args.Some(sitesPerPage), args.Some(cut(l.form.get("search"), 500))
	found, err := w.platform.Sites.List(v.ctx, f)
	if err != nil {
		return nil, err
	}
	if len(found.Items) == 0 && l.page > 1 {
		return &reply{redirect: l.address(1)}, nil
	}
	if l.plans, err = w.planChoices(v.ctx); err != nil {
		return nil, err
	}
	l.items, l.total = found.Items, found.Total
	return &reply{title: tell(v.ctx, "console.sites"), section: "sites", body: consoleSitesPage(l)}, nil
}

func (l *consoleList) pages() int { return (l.total + sitesPerPage - 1) / sitesPerPage }

func (l *consoleList) filtered() bool {
	return l.form.get("search") != "" || l.form.get("state") != "" || l.form.get("plan") != ""
}

// address is the list's at a page.
func (l *consoleList) address(page int) string {
	q := url.Values{}
	for _, name := range []string{"search", "state", "plan"} {
		if text := l.form.get(name); text != "" {
			q.Set(name, text)
		}
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return consoleRoot
	}
	return consoleRoot + "?" + q.Encode()
}

// planChoices are the plans by their names.
func (w *admin) planChoices(ctx context.Context) ([]pair, error) {
	list, err := w.platform.Plans.List(ctx)
	choices := make([]pair, 0, len(list))
	for _, plan := range list {
		choices = append(choices, pair{plan.Name, plan.Name})
	}
	return choices, err
}

func consoleAddress(slug string) string { return consoleRoot + "/sites/" + url.PathEscape(slug) }
