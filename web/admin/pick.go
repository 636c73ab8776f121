package admin

import (
	"context"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/forms/frame"
)

// mostPicks is how many entries a field offers while somebody types.
const mostPicks = 10

// longestPick is how much of what is typed is looked for, in letters.
const longestPick = 100

// picks is what a field offers for what has been typed.
type picks struct {
	kind, typed string
	list        []pick
}

// pick is one entry: its name, what tells it from others of that name, and what
// the form sends for it.
type pick struct{ name, note, value string }

// searchVenues offers venues.
func (w *Pages) searchVenues(v *frame.Visit) (*frame.Reply, error) {
	p := newPicks(v, "venue")
	found, err := w.calendar.Venues().Suggest(v.Ctx, p.typed, mostPicks)
	for _, venue := range found {
		p.list = append(p.list, pick{venue.Name, strings.Trim(venue.Address+", "+venue.City, ", "), named(venue.Name, venue.ID)})
	}
	return frame.PartReply(0, pickList(p)), err
}

// searchOrganizers offers organizers.
func (w *Pages) searchOrganizers(v *frame.Visit) (*frame.Reply, error) {
	p := newPicks(v, "organizer")
	found, err := w.calendar.Organizers().Suggest(v.Ctx, p.typed, mostPicks)
	for _, o := range found {
		p.list = append(p.list, pick{o.Name, o.Email, named(o.Name, o.ID)})
	}
	return frame.PartReply(0, pickList(p)), err
}

// searchTags offers tags.
func (w *Pages) searchTags(v *frame.Visit) (*frame.Reply, error) {
	p := newPicks(v, "tags")
	found, err := w.calendar.Terms(calendar.Tags).Suggest(v.Ctx, p.typed, mostPicks)
	for _, t := range found {
		p.list = append(p.list, pick{name: t.Name, value: t.Name})
	}
	return frame.PartReply(0, pickList(p)), err
}

// searchZones offers all time zones.
func (w *Pages) searchZones(*frame.Visit) (*frame.Reply, error) {
	return frame.PartReply(0, zoneList()), nil
}

// searchParents offers events that another can belong to.
func (w *Pages) searchParents(v *frame.Visit) (*frame.Reply, error) {
	list, err := w.parentsFor(v.Ctx, v.Query.Get("post_parent"))
	return frame.PartReply(0, parentList(list)), err
}

func newPicks(v *frame.Visit, kind string) *picks {
	return &picks{kind: kind, typed: strings.TrimSpace(frame.Cut(v.Query.Get("q"), longestPick))}
}

// fresh reports whether what was typed can be made: nobody offered is called
// so.
func (p *picks) fresh() bool {
	if p.typed == "" {
		return false
	}
	for _, one := range p.list {
		if wording.Fold(one.name) == wording.Fold(p.typed) {
			return false
		}
	}
	return true
}

// named is a name that can't be taken for another's.
func named(name string, id int64) string { return name + " (#" + frame.IDText(id) + ")" }

// nameAndID takes a name apart from the id behind it, 0 for none.
func nameAndID(typed string) (name string, id int64) {
	typed = strings.TrimSpace(typed)
	name, rest, found := cutLast(typed, " (#")
	if digits, closed := strings.CutSuffix(rest, ")"); found && closed {
		if id = frame.IDIn(digits); id != 0 {
			return name, id
		}
	}
	return typed, 0
}

func cutLast(text, at string) (before, after string, found bool) {
	i := strings.LastIndex(text, at)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(at):], true
}

// chipText is a text of a chip, with a place for its name.
func chipText(ctx context.Context, key string) string {
	return frame.TellWith(ctx, key, "Name", "{name}")
}

// pickSource is where a field looks for entries.
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

// withinArea reports whether whoever asks writes events of some venues or organizers only.
func withinArea(ctx context.Context, name string) bool {
	area := tenancy.Current(ctx).Principal.Area
	return len(map[string][]int64{"venue": area.Venues, "organizer": area.Organizers}[name]) > 0
}

// inOrderOf returns choices with those in front that are chosen, in their order.
func inOrderOf(chosen []string, choices []frame.Pair) []frame.Pair {
	place := func(p frame.Pair) int {
		if at := slices.Index(chosen, p.Value); at >= 0 {
			return at
		}
		return len(chosen)
	}
	return slices.SortedStableFunc(slices.Values(choices), func(a, b frame.Pair) int { return place(a) - place(b) })
}
