package console

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

const trafficPath = frame.ConsoleRoot + "/requests"

// month is the value of the period "30 days"; the default is 24 hours.
const month = "month"

// trafficList is a page of the list of sites with their requests.
type trafficList struct {
	form        *frame.Form // the filter
	items       []*platform.SiteTraffic
	page, total int
}

// traffic shows how many requests the sites got, and how many of them were refused or failed.
func (w *Pages) traffic(v *frame.Visit, _ string) (*frame.Reply, error) {
	l := &trafficList{form: &frame.Form{Values: v.Query}, page: 1}
	if n, err := strconv.Atoi(v.Query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	switch sort := l.form.Get("sort"); {
	case sort == "":
		l.form.Set("sort", platform.TrafficSorts[0])
	case !slices.Contains(platform.TrafficSorts, sort):
		l.form.Set("sort", "name")
	}
	if l.form.Get("period") != month {
		l.form.Values.Del("period")
	}
	f := &platform.SiteFilter{}
	f.Search = args.Some(frame.Cut(l.form.Get("search"), 500))
	f.Page, f.PerPage = args.Some(l.page), args.Some(sitesPerPage)
	found, err := w.platform.Sites.Traffic(v.Ctx, f, l.form.Get("sort"), l.form.Get("period") == month)
	if err != nil {
		return nil, err
	}
	if len(found.Items) == 0 && l.page > 1 {
		return &frame.Reply{Redirect: l.address(1, l.form.Get("sort"))}, nil
	}
	l.items, l.total = found.Items, found.Total
	return &frame.Reply{Title: frame.Tell(v.Ctx, "console.requests"), Section: "requests", Body: trafficPage(l)}, nil
}

func (l *trafficList) pages() int { return (l.total + sitesPerPage - 1) / sitesPerPage }

// turn returns the address of a page of the list in its order.
func (l *trafficList) turn(page int) string { return l.address(page, l.form.Get("sort")) }

// address returns the address of a page of the list in an order.
func (l *trafficList) address(page int, sort string) string {
	q := url.Values{"sort": {sort}}
	for _, name := range []string{"search", "period"} {
		if text := l.form.Get(name); text != "" {
			q.Set(name, text)
		}
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	return trafficPath + "?" + q.Encode()
}

// trafficColumn is a column of the list, named by the order that it sorts by.
type trafficColumn struct {
	sort, label string
	of          func(*platform.SiteTraffic) int64
}

var trafficColumns = []trafficColumn{
	{"requests", "console.requests", func(t *platform.SiteTraffic) int64 { return t.Requests }},
	{"limited", "console.requests.limited", func(t *platform.SiteTraffic) int64 { return t.Limited }},
	{"full", "console.requests.full", func(t *platform.SiteTraffic) int64 { return t.Full }},
	{"busy", "console.requests.busy", func(t *platform.SiteTraffic) int64 { return t.Busy }},
	{"errors", "console.requests.errors", func(t *platform.SiteTraffic) int64 { return t.Errors }},
}
