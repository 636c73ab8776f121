package places

import (
	"context"
	"maps"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/admin/merging"
	"github.com/kalends/kalends/web/forms/added"
	"github.com/kalends/kalends/web/forms/frame"
)

// placeMerge is the merge of venues or organizers.
func (w *Pages) placeMerge(k *Kind) *merging.Kind {
	m := &merging.Kind{Kind: k.Kind, Section: k.Section, May: calendar.MergeRight, Fields: services.OrganizerMerge,
		Linked: w.calendar.Organizers().Linked,
		Merge: func(ctx context.Context, m services.Merging) (int, int64, error) {
			kept, moved, err := w.calendar.Organizers().Merge(ctx, m)
			if err != nil {
				return 0, 0, err
			}
			return moved, kept.Version, nil
		}}
	if k.Kind == "venue" {
		m.Fields, m.Linked = services.VenueMerge, w.calendar.Venues().Linked
		m.Merge = func(ctx context.Context, m services.Merging) (int, int64, error) {
			kept, moved, err := w.calendar.Venues().Merge(ctx, m)
			if err != nil {
				return 0, 0, err
			}
			return moved, kept.Version, nil
		}
	}
	m.Get = func(ctx context.Context, id int64) (*merging.Entry, error) {
		entry, err := k.get(ctx, id)
		switch {
		case err != nil:
			return nil, err
		case entry.Trashed():
			return nil, calendar.ErrGone
		}
		return entry.merging(k), nil
	}
	m.Find = func(ctx context.Context, text string) ([]frame.Pair, error) {
		f := &calendar.PlaceFilter{}
		f.Search = args.Some(text)
		found, _, err := k.List(ctx, f, merging.Offered+1)
		list := make([]frame.Pair, 0, len(found))
		for _, one := range found {
			list = append(list, frame.Pair{Name: frame.IDText(one.ID), Value: strings.Trim(one.Name+" – "+one.Note, " –")})
		}
		return list, err
	}
	return m
}

// merging returns a venue or organizer in a form in which entries can be compared.
func (e *Entry) merging(k *Kind) *merging.Entry {
	m := &merging.Entry{ID: e.ID, Version: e.Version, Name: e.Name, Note: e.Note, Image: e.Image,
		Fields: map[string]string{k.Kind: e.Name, "description": e.Description, "image": ""},
		Shown:  map[string]string{"description": wording.PlainText(e.Description), "excerpt": wording.PlainText(e.texts["excerpt"])}}
	maps.Copy(m.Fields, e.texts)
	m.Fields["fields"] = added.Text(e.added)
	if e.Image != nil {
		m.Fields["image"], m.Shown["image"] = frame.IDText(e.Image.ID), e.Image.File
	}
	m.Fields["geo"] = ""
	if e.texts["geo_lat"] != "" {
		m.Fields["geo"] = e.texts["geo_lat"] + ", " + e.texts["geo_lng"]
	}
	return m
}
