package imports

import (
	"html"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// folded returns a name in the form in which names are compared: without case, accents, extra white space and HTML entities.
func folded(name string) string {
	return strings.Join(strings.Fields(wording.Fold(html.UnescapeString(name))), " ")
}

// names holds the names of a site and its file, so that nothing is made twice under names that look the same.
type names struct {
	called             map[int64]string // venues by id
	venues, organizers map[string][]NamedPlace
	categories, tags   map[string]NamedPlace
	newVenues          map[string][]*calendar.VenueFields // of the file, the first of each name that looks the same
	newOrganizers      map[string]*calendar.OrganizerFields
	newTerms           map[string]string // by "category " or "tag " and the folded name: as it was written first
}

func newNames(p tenancy.Principal, list *Named) *names {
	n := &names{venues: placesByName(p, list.Venues), organizers: placesByName(p, list.Organizers), categories: termsByName(list.Categories),
		tags: termsByName(list.Tags), newVenues: map[string][]*calendar.VenueFields{}, newOrganizers: map[string]*calendar.OrganizerFields{},
		newTerms: map[string]string{}, called: make(map[int64]string, len(list.Venues))}
	for _, v := range list.Venues {
		n.called[v.ID] = v.Name
	}
	return n
}

// places returns digests of the title, start and venue of an event of the site, one for each of its venues.
func (n *names) places(a *Alike) [][]byte {
	venues := []string{}
	for _, id := range a.Venues {
		venues = append(venues, n.called[id])
	}
	if len(venues) == 0 {
		venues = append(venues, "")
	}
	list := make([][]byte, 0, len(venues))
	for _, venue := range venues {
		list = append(list, placeDigest(a.Title, a.Start.Format(time.DateTime), venue, a.Series))
	}
	return list
}

func placesByName(p tenancy.Principal, list []NamedPlace) map[string][]NamedPlace {
	by := make(map[string][]NamedPlace, len(list))
	for _, one := range list {
		if one.Status != calendar.Trash && calendar.MayRead(p, &calendar.Post{Status: one.Status, Author: one.Author}) {
			by[folded(one.Name)] = append(by[folded(one.Name)], one)
		}
	}
	return by
}

func termsByName(list []NamedPlace) map[string]NamedPlace {
	by := make(map[string]NamedPlace, len(list))
	for _, one := range list {
		if _, twice := by[folded(one.Name)]; !twice {
			by[folded(one.Name)] = one
		}
	}
	return by
}

// resolve links an event to the site's venues, organizers, categories and tags of the same names.
func (n *names) resolve(f *calendar.EventFields) {
	if links, ok := f.Venue.Get(); ok {
		for i := range links {
			if links[i].New != nil {
				links[i] = n.venue(links[i])
			}
		}
		f.Venue = args.Some(links)
	}
	if links, ok := f.Organizer.Get(); ok {
		for i := range links {
			if links[i].New != nil {
				links[i] = n.organizer(links[i])
			}
		}
		f.Organizer = args.Some(links)
	}
	n.terms(&f.Categories, "category ", n.categories)
	n.terms(&f.Tags, "tag ", n.tags)
}

// first returns the id of the existing venue or organizer with the name of the only one in a write, or 0.
func (n *names) first(f *calendar.EventFields) int64 {
	for _, link := range f.Venue.Or(nil) {
		if id := n.venueNamed(link.New); id != 0 {
			return id
		}
	}
	for _, link := range f.Organizer.Or(nil) {
		if list := n.organizers[folded(link.New.Name.Or(""))]; len(list) > 0 {
			return list[0].ID
		}
	}
	return 0
}

// venueNamed returns the id of the venue with a name, or 0. If both have an address, it must be the same.
func (n *names) venueNamed(f *calendar.VenueFields) int64 {
	for _, one := range n.venues[folded(f.Name.Or(""))] {
		if alikeOrNone(one.Address, f.Address.Or("")) && alikeOrNone(one.City, f.City.Or("")) {
			return one.ID
		}
	}
	return 0
}

// venue returns a link to a venue of the same name. If both have an address, it must be the same.
func (n *names) venue(link args.Link[calendar.VenueFields]) args.Link[calendar.VenueFields] {
	if id := n.venueNamed(link.New); id != 0 {
		return args.Link[calendar.VenueFields]{ID: id}
	}
	name, address, city := folded(link.New.Name.Or("")), link.New.Address.Or(""), link.New.City.Or("")
	for _, one := range n.newVenues[name] {
		if alikeOrNone(one.Address.Or(""), address) && alikeOrNone(one.City.Or(""), city) {
			return args.Link[calendar.VenueFields]{New: one}
		}
	}
	n.newVenues[name] = append(n.newVenues[name], link.New)
	return link
}

// alikeOrNone reports whether two texts look the same or at least one is empty.
func alikeOrNone(a, b string) bool { return a == "" || b == "" || folded(a) == folded(b) }

func (n *names) organizer(link args.Link[calendar.OrganizerFields]) args.Link[calendar.OrganizerFields] {
	name := folded(link.New.Name.Or(""))
	if list := n.organizers[name]; len(list) > 0 {
		return args.Link[calendar.OrganizerFields]{ID: list[0].ID}
	}
	if one := n.newOrganizers[name]; one != nil {
		return args.Link[calendar.OrganizerFields]{New: one}
	}
	n.newOrganizers[name] = link.New
	return link
}

func (n *names) terms(of *args.Opt[args.Refs], kind string, known map[string]NamedPlace) {
	refs, ok := of.Get()
	if !ok {
		return
	}
	for i, ref := range refs {
		if ref.ID != 0 {
			continue
		}
		name := folded(ref.Text)
		if one, there := known[name]; there {
			refs[i] = args.Ref{ID: one.ID}
			continue
		}
		if first, there := n.newTerms[kind+name]; there {
			refs[i].Text = first
			continue
		}
		n.newTerms[kind+name] = ref.Text
	}
	*of = args.Some(refs)
}
