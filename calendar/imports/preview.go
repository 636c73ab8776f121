package imports

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Preview is what a dry run shows besides its report.
type Preview struct {
	Rows map[int]*Row // entries of the file, by number; nil if they cannot be edited
	New  []Made       // venues, organizers, categories and tags that the import would create, without ids

	Uncategorized int // events that the import would create without a category
}

// mostPreviewed is the highest number of entries that Preview reads: those take about a second.
const mostPreviewed = 20_000

// Preview returns what a finished dry run would create besides events, and the entries with some numbers. It is empty for other
// imports, for larger files, and if the file is no longer kept.
func (s *Service) Preview(ctx context.Context, i *Import, numbers map[int]bool) (*Preview, error) {
	p := &Preview{}
	if !i.DryRun || i.Undoes != 0 || i.State != Done || i.Total > mostPreviewed {
		return p, nil
	}
	r, err := s.reread(ctx, i)
	if r == nil || err != nil {
		return p, err
	}
	would, err := s.would(ctx, i)
	if err != nil {
		return p, err
	}
	if err := r.readNames(ctx); err != nil {
		return p, err
	}
	if err := r.readLinked(ctx); err != nil {
		return p, err
	}
	if i.Editable() {
		p.Rows = map[int]*Row{}
	}
	for e := range r.file.Entries {
		newVenue := false
		if fields, written := would[e.Number]; written {
			f := r.writes(&e, fields)
			newVenue = slices.ContainsFunc(f.Venue.Or(nil), func(l args.Link[calendar.VenueFields]) bool { return l.New != nil })
			if fields == nil && e.Recurrence == "" && len(f.Categories.Or(nil)) == 0 {
				p.Uncategorized++
			}
		}
		if p.Rows != nil && numbers[e.Number] {
			p.Rows[e.Number] = r.rowOf(&e, tenancy.Current(ctx).Site)
			p.Rows[e.Number].NewVenue = newVenue
		}
	}
	p.New = r.names.created()
	return p, nil
}

// reread opens the file of an import as the import does. It returns nil if the file is no longer kept.
func (s *Service) reread(ctx context.Context, i *Import) (*run, error) {
	data, err := s.store.File(ctx, i.ID)
	if errors.Is(err, ErrNoFile) {
		return nil, nil //nolint:nilnil // an import without a file is no error
	}
	if err != nil {
		return nil, tenancy.Wrap("read the file of an import", err)
	}
	r := &run{Service: s, in: i}
	asked := maps.Clone(i.Asked)
	if i.URL != "" {
		asked["url"] = i.URL
	}
	if err := table.Parse(asked, args.Creating, &r.ask); err != nil {
		return nil, err
	}
	options, err := r.options(ctx)
	if err != nil {
		return nil, err
	}
	return r, r.open(ctx, data, options)
}

// rows returns the entries of the file with some numbers, with their cells.
func (r *run) rows(ctx context.Context, numbers map[int]bool) map[int]*Row {
	rows := map[int]*Row{}
	for e := range r.file.Entries {
		if numbers[e.Number] {
			rows[e.Number] = r.rowOf(&e, tenancy.Current(ctx).Site)
		}
	}
	return rows
}

// would returns the entries that a dry run would create (with nil), and those that it would change, with the fields.
func (s *Service) would(ctx context.Context, i *Import) (map[int][]string, error) {
	list := map[int][]string{}
	return list, s.each(ctx, i, map[Result]int{Created: i.Counts.Created, Changed: i.Counts.Changed}, func(e *Entry) {
		list[e.Number] = nil
		if e.Result == Changed {
			list[e.Number] = append([]string{}, e.Fields...)
		}
	})
}

// each calls do for the entries of an import that have one of the results, each with the number of its entries.
func (s *Service) each(ctx context.Context, i *Import, results map[Result]int, do func(e *Entry)) error {
	for result, n := range results {
		if n == 0 {
			continue
		}
		page, err := s.store.Entries(ctx, i.ID, result, 1, n)
		if err != nil {
			return tenancy.Wrap("list entries of an import", err)
		}
		for k := range page.Items {
			do(page.Items[k])
		}
	}
	return nil
}

// writes returns what an entry would write, linked to the venues, organizers and terms of the site. fields are the fields that the
// entry changes; nil means all.
func (r *run) writes(e *reading.Entry, fields []string) *calendar.EventFields {
	values := r.values(e)
	if fields != nil {
		maps.DeleteFunc(values, func(name string, _ any) bool { return !slices.Contains(fields, name) })
	}
	f, _ := r.fields(values, args.Updating) // the report says what is wrong with an entry
	return f
}

// created returns the venues, organizers, categories and tags of the file that the site does not have, by kind and name.
func (n *names) created() (list []Made) {
	add := func(kind, name string) {
		if name != "" {
			list = append(list, Made{Kind: kind, Name: name})
		}
	}
	for _, venues := range n.newVenues {
		for _, f := range venues {
			add("venue", f.Name.Or(""))
		}
	}
	for _, f := range n.newOrganizers {
		add("organizer", f.Name.Or(""))
	}
	for key, name := range n.newTerms {
		kind, _, _ := strings.Cut(key, " ")
		add(kind, name)
	}
	slices.SortFunc(list, func(a, b Made) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	return list
}
