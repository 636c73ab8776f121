package console

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
)

// sharingPath is the path at which the console lists the gatherings.
const sharingPath = frame.ConsoleRoot + "/sharing"

// sharing is one page of the list of gatherings: which sites share events with which.
type sharing struct {
	site        string // only gatherings of this site; "": all
	items       []*platform.Gathering
	page, total int
}

const sharingPerPage = 50

// sharesShown is how many gatherings are read for the page of a site, in each direction.
const sharesShown = 5

func (w *Pages) sharing(v *frame.Visit, _ string) (*frame.Reply, error) {
	l := &sharing{site: strings.ToLower(strings.TrimSpace(frame.Cut(v.Query.Get("site"), 63))), page: 1}
	if n, err := strconv.Atoi(v.Query.Get("page")); err == nil && n > 0 && n < 1_000_000 {
		l.page = n
	}
	found, err := w.platform.Gatherings.List(v.Ctx, &platform.GatheringFilter{
		Paging: args.Paging{Page: args.Some(l.page), PerPage: args.Some(sharingPerPage)},
		Site:   args.Some(l.site),
	})
	if err != nil {
		return nil, err
	}
	if len(found.Items) == 0 && l.page > 1 {
		return &frame.Reply{Redirect: l.address(1)}, nil
	}
	l.items, l.total = found.Items, found.Total
	return &frame.Reply{Title: frame.Tell(v.Ctx, "console.sharing"), Section: "sharing", Body: sharingPage(l)}, nil
}

func (l *sharing) pages() int { return (l.total + sharingPerPage - 1) / sharingPerPage }

// address returns the address of a page of the list.
func (l *sharing) address(page int) string {
	q := url.Values{}
	if l.site != "" {
		q.Set("site", l.site)
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return sharingPath
	}
	return sharingPath + "?" + q.Encode()
}

// sharingOf returns the address of the list of a site's gatherings.
func sharingOf(slug string) string { return (&sharing{site: slug}).address(1) }

// partnersOf returns the sites on one side of gatherings, without duplicates.
func partnersOf(list []*platform.Gathering, side func(*platform.Gathering) *platform.Partner) []*platform.Partner {
	var partners []*platform.Partner
	seen := map[int64]bool{}
	for _, g := range list {
		if p := side(g); !seen[p.ID] {
			seen[p.ID] = true
			partners = append(partners, p)
		}
	}
	return partners
}

// share adds to the page of a site the sites that receive its events, and those whose events it receives.
func (w *Pages) share(v *frame.Visit, ed *siteView) error {
	gives, has, err := w.platform.Gatherings.Of(v.Ctx, ed.site.Slug, sharesShown)
	if err != nil {
		return err
	}
	ed.gives = partnersOf(gives.Items, func(g *platform.Gathering) *platform.Partner { return &g.Receiver })
	ed.has = partnersOf(has.Items, func(g *platform.Gathering) *platform.Partner { return &g.Giver })
	return nil
}
