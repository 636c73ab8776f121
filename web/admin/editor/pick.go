package editor

import (
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/web/admin/places"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/offers"
)

// mostPicks is how many entries a field offers while someone types.
const mostPicks = 10

// LongestPick is how many characters of the typed text are used for the search.
const LongestPick = 100

// picks are the entries that a field offers for a typed text.
type picks struct {
	kind, typed string
	list        []pick
}

// pick is one entry: its name, a note that distinguishes it from others with the same name, and the value that the
// form sends.
type pick struct {
	name, note, value string

	names calendar.Naming
}

// add adds a venue or organizer. Its note has its own name, if it is shown under another name, and what
// distinguishes it from others.
func (p *picks) add(ctx context.Context, names calendar.Naming, id int64, apart ...string) {
	name, own := names.Shown(offers.Languages(ctx))
	note := slices.DeleteFunc(append([]string{own}, apart...), func(text string) bool { return text == "" })
	p.list = append(p.list, pick{name, strings.Join(note, ", "), places.Named(name, id), names})
}

// searchVenues responds with venues for a typed text.
func (w *Pages) searchVenues(v *frame.Visit) (*frame.Reply, error) {
	p := newPicks(v, "venue")
	found, err := w.calendar.Venues().Suggest(v.Ctx, p.typed, mostPicks)
	for _, venue := range found {
		p.add(v.Ctx, venue.Names(), venue.ID, venue.Address, venue.City)
	}
	return frame.PartReply(0, pickList(p)), err
}

// searchOrganizers responds with organizers for a typed text.
func (w *Pages) searchOrganizers(v *frame.Visit) (*frame.Reply, error) {
	p := newPicks(v, "organizer")
	found, err := w.calendar.Organizers().Suggest(v.Ctx, p.typed, mostPicks)
	for _, o := range found {
		p.add(v.Ctx, o.Names(), o.ID, o.Email)
	}
	return frame.PartReply(0, pickList(p)), err
}

// searchTags responds with tags for a typed text.
func (w *Pages) searchTags(v *frame.Visit) (*frame.Reply, error) {
	p := newPicks(v, "tags")
	found, err := w.calendar.Terms(calendar.Tags).Suggest(v.Ctx, p.typed, mostPicks)
	for _, t := range found {
		name, _ := t.Names().Shown(offers.Languages(v.Ctx))
		if name == t.Name {
			name = ""
		}
		p.list = append(p.list, pick{name: t.Name, note: name, value: t.Name, names: t.Names()})
	}
	return frame.PartReply(0, pickList(p)), err
}

// searchZones offers all time zones.
func (w *Pages) searchZones(*frame.Visit) (*frame.Reply, error) {
	return frame.PartReply(0, zoneList()), nil
}

// searchParents responds with events that can be the parent of another.
func (w *Pages) searchParents(v *frame.Visit) (*frame.Reply, error) {
	list, err := w.parentsFor(v.Ctx, v.Query.Get("post_parent"))
	return frame.PartReply(0, parentList(list)), err
}

func newPicks(v *frame.Visit, kind string) *picks {
	return &picks{kind: kind, typed: strings.TrimSpace(frame.Cut(v.Query.Get("q"), LongestPick))}
}

// fresh reports whether the list can offer to create an entry with the typed name, because it has no entry with
// that name.
func (p *picks) fresh() bool {
	if p.typed == "" {
		return false
	}
	for _, one := range p.list {
		if one.names.Has(p.typed) {
			return false
		}
	}
	return true
}

// chipText returns a text for a chip, with {name} as the placeholder for its name.
func chipText(ctx context.Context, key string) string {
	return frame.TellWith(ctx, key, "Name", "{name}")
}

// pickSource is the address at which a field searches for entries.
func pickSource(name string) string {
	if name == "tags" {
		return frame.AdminRoot + "/search/tags"
	}
	return frame.AdminRoot + "/search/" + name + "s"
}

// pickCount says how many entries are offered.
func pickCount(ctx context.Context, n int) string {
	return frame.Counted(ctx, "pick.count", n)
}

// inOrderOf puts the chosen entries before the other choices, in the order in which they were chosen.
func inOrderOf(chosen []string, choices []frame.Pair) []frame.Pair {
	place := func(p frame.Pair) int {
		if at := slices.Index(chosen, p.Value); at >= 0 {
			return at
		}
		return len(chosen)
	}
	return slices.SortedStableFunc(slices.Values(choices), func(a, b frame.Pair) int { return place(a) - place(b) })
}
