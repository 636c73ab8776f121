package eventtest

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
)

// Variants are lists of every kind.
func Variants() map[string]calendar.EventQuery {
	yes := true
	window := []calendar.Edge{{Compare: calendar.From, At: Monday}, {End: true, Compare: calendar.Until, At: Monday.AddDate(2, 0, 0)}}
	instants := []calendar.Edge{{Compare: calendar.From, At: Monday, Instant: true}}
	all := calendar.Viewer{User: 1, All: true}
	list := map[string]calendar.EventQuery{
		"plain":        {},
		"page 20":      {Page: 20},
		"instants":     {Edges: instants},
		"coming":       {Edges: []calendar.Edge{{End: true, Compare: calendar.After, At: Monday.AddDate(1, 0, 0)}}},
		"descending":   {Descending: true},
		"by end":       {OrderBy: "end_date"},
		"by title":     {OrderBy: "title"},
		"by date":      {OrderBy: "date"},
		"by modified":  {OrderBy: "modified"},
		"include":      {Include: []int64{1, 2, 3}},
		"category":     {Categories: TermLinks(int64(3)).Refs},
		"category tag": {Categories: TermLinks("term-3").Refs, Tags: TermLinks(int64(23), "Term 24").Refs},
		"venue":        {Venues: []int64{1000003}},
		"organizer":    {Organizers: []int64{2000003, 2000004}},
		"featured":     {Featured: &yes},
		"ticketed":     {Ticketed: &yes},
		"located":      {Located: &yes},
		"near":         {Near: &calendar.Circle{Lat: 40.3, Lng: -70.3, Km: 1}},
		"parent":       {Parent: 1},
		"rare word":    {Search: wording.Search{Words: []string{"zebra"}}},
		"short word":   {Search: wording.Search{Words: []string{"z"}}},
		"common words": {Search: wording.Search{Words: []string{"happens", "event 1"}, Without: []string{"zebra"}}, Opener: &calendar.Opener{}},
		"words within": {Categories: TermLinks(int64(3)).Refs, Search: wording.Search{Words: []string{"happens"}}},
		"named":        {Search: wording.Search{Words: []string{"venue 7"}}},
		"named twice":  {Search: wording.Search{Words: []string{"venue 7", "organizer 7"}, Without: []string{"venue 30"}}},
		"named, told":  {Search: wording.Search{Words: []string{"venue 7", "zebra"}}},
		"named within": {Categories: TermLinks(int64(3)).Refs, Search: wording.Search{Words: []string{"venue 7"}}},
		"author":       {Viewer: calendar.Viewer{User: 2}},
		"editor":       {Viewer: all},
		"drafts":       {Viewer: all, Statuses: []calendar.Status{calendar.Draft}},
		"with hidden":  {Viewer: all, WithHidden: true},
		"shelf":        {Viewer: all, WithHidden: true, Whole: Monday},
	}
	for name, q := range list {
		q.PerPage = 15
		if q.Edges == nil {
			q.Edges = window
		}
		list[name] = q
	}
	return list
}
