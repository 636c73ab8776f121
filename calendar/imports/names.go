package imports

import (
	"slices"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// names holds the names of a site and its file, so that nothing is created twice under names that look the same.
type names struct {
	called             map[int64]calendar.Naming // venues by id
	languages          []string                  // languages in which names are searched after the entries' own fields
	venues, organizers map[string][]NamedPlace   // by each of their names
	categories, tags   map[string][]NamedPlace
	newVenues          map[string][]*calendar.VenueFields // of the file: the first of each name that looks the same
	newOrganizers      map[string]*calendar.OrganizerFields
	newTerms           map[string]string // by "category " or "tag " and the folded name: as it was written first
	doubts             []Finding         // names that several entries have, since they were last taken
}

func newNames(scope *tenancy.Scope, list *Named) *names {
	p := scope.Principal
	n := &names{
		languages:     calendar.NameLanguages(scope),
		venues:        placesByName(p, list.Venues),
		organizers:    placesByName(p, list.Organizers),
		categories:    byName(list.Categories),
		tags:          byName(list.Tags),
		newVenues:     map[string][]*calendar.VenueFields{},
		newOrganizers: map[string]*calendar.OrganizerFields{},
		newTerms:      map[string]string{},
		called:        make(map[int64]calendar.Naming, len(list.Venues)),
	}
	for i := range list.Venues {
		n.called[list.Venues[i].ID] = list.Venues[i].Names()
	}
	return n
}

// places returns digests of the title, start and venue of an event of the site, one for each name of its venues.
func (n *names) places(a *Alike) [][]byte {
	venues := []string{}
	for _, id := range a.Venues {
		venues = append(venues, n.called[id].All()...)
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
	return byName(slices.DeleteFunc(slices.Clone(list), func(one NamedPlace) bool {
		return one.Status == calendar.Trash || !calendar.MayRead(p, &calendar.Post{Status: one.Status, Author: one.Author})
	}))
}

// byName returns entries by each of their folded names.
func byName(list []NamedPlace) map[string][]NamedPlace {
	by := make(map[string][]NamedPlace, len(list))
	for i := range list {
		seen := map[string]bool{}
		for _, name := range list[i].Names().All() {
			if key := wording.FoldName(name); key != "" && !seen[key] {
				seen[key] = true
				by[key] = append(by[key], list[i])
			}
		}
	}
	return by
}

// meant returns the first of the entries with a name. If there are several, it adds a doubt about the argument.
func (n *names) meant(by map[string][]NamedPlace, arg, name string, fits func(one *NamedPlace) bool) (NamedPlace, bool) {
	list := slices.Clone(by[wording.FoldName(name)])
	list = slices.DeleteFunc(list, func(one NamedPlace) bool { return fits != nil && !fits(&one) })
	list = calendar.Meant(list, name, n.languages, func(one NamedPlace) calendar.Naming { return one.Names() })
	if len(list) == 0 {
		return NamedPlace{}, false
	}
	if len(list) > 1 {
		n.doubts = append(n.doubts, warning("name-ambiguous", arg, name))
	}
	return list[0], true
}

// termNamed returns the category or tag with a name.
func (n *names) termNamed(kind, name string) (NamedPlace, bool) {
	if kind == "tag" {
		return n.meant(n.tags, "tags", name, nil)
	}
	return n.meant(n.categories, "categories", name, nil)
}

// resolve links an event to the site's venues, organizers, categories and tags with the same names.
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
	n.terms(&f.Categories, "category")
	n.terms(&f.Tags, "tag")
}

// first returns the id of the existing venue or organizer with the name of the single one in a write, or 0.
func (n *names) first(f *calendar.EventFields) int64 {
	for _, link := range f.Venue.Or(nil) {
		if id := n.venueNamed(link.New); id != 0 {
			return id
		}
	}
	for _, link := range f.Organizer.Or(nil) {
		if one, there := n.meant(n.organizers, "organizer", link.New.Name.Or(""), nil); there {
			return one.ID
		}
	}
	return 0
}

// venueNamed returns the id of the venue with a name, or 0. If both have an address, it must be the same.
func (n *names) venueNamed(f *calendar.VenueFields) int64 {
	one, _ := n.meant(n.venues, "venue", f.Name.Or(""), func(one *NamedPlace) bool {
		return alikeOrNone(one.Address, f.Address.Or("")) && alikeOrNone(one.City, f.City.Or(""))
	})
	return one.ID
}

// venue returns a link to a venue of the same name. If both have an address, it must be the same.
func (n *names) venue(link args.Link[calendar.VenueFields]) args.Link[calendar.VenueFields] {
	if id := n.venueNamed(link.New); id != 0 {
		return args.Link[calendar.VenueFields]{ID: id}
	}
	name, address, city := wording.FoldName(link.New.Name.Or("")), link.New.Address.Or(""), link.New.City.Or("")
	for _, one := range n.newVenues[name] {
		if alikeOrNone(one.Address.Or(""), address) && alikeOrNone(one.City.Or(""), city) {
			return args.Link[calendar.VenueFields]{New: one}
		}
	}
	n.newVenues[name] = append(n.newVenues[name], link.New)
	return link
}

// alikeOrNone reports whether two texts look the same or at least one is empty.
func alikeOrNone(a, b string) bool {
	return a == "" || b == "" || wording.FoldName(a) == wording.FoldName(b)
}

func (n *names) organizer(link args.Link[calendar.OrganizerFields]) args.Link[calendar.OrganizerFields] {
	if one, there := n.meant(n.organizers, "organizer", link.New.Name.Or(""), nil); there {
		return args.Link[calendar.OrganizerFields]{ID: one.ID}
	}
	name := wording.FoldName(link.New.Name.Or(""))
	if one := n.newOrganizers[name]; one != nil {
		return args.Link[calendar.OrganizerFields]{New: one}
	}
	n.newOrganizers[name] = link.New
	return link
}

func (n *names) terms(of *args.Opt[args.Refs], kind string) {
	refs, ok := of.Get()
	if !ok {
		return
	}
	for i, ref := range refs {
		if ref.ID != 0 {
			continue
		}
		if one, there := n.termNamed(kind, ref.Text); there {
			refs[i] = args.Ref{ID: one.ID}
			continue
		}
		key := kind + " " + wording.FoldName(ref.Text)
		if first, there := n.newTerms[key]; there {
			refs[i].Text = first
			continue
		}
		n.newTerms[key] = ref.Text
	}
	*of = args.Some(refs)
}
