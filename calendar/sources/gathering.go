package sources

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/sheets"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// gathering reads several sites for the site that gathers from them. It imports what is new. All changes that are ready are
// handed over in one transaction.
type gathering struct {
	*Service
	hold    *Hold
	stopped context.Context // ends when the node stops
	acts    map[actor]acted
	ready   []*imports.Import
	bytes   int // of them
}

// actor is the user who created a source, and the key they used. acted is the context with their present rights.
type (
	actor struct{ user, credential int64 }
	acted struct {
		ctx context.Context
		err error
	}
)

// handedTogether is how many bytes one transaction hands over. A single site may have more.
const handedTogether = 4 << 20

// all reads sites one after the other.
func (g *gathering) all(ctx context.Context, list []*Source) error {
	for _, w := range list {
		o := &Outcome{}
		err := g.gather(ctx, w, o)
		if err != nil && errors.Is(context.Cause(ctx), ErrLost) {
			return ErrLost
		}
		if errors.Is(err, errReady) {
			if g.bytes >= handedTogether {
				err = g.hand(ctx)
			} else {
				continue
			}
		} else {
			err = g.ended(ctx, w, g.hold, o, err, g.stopped.Err() != nil)
		}
		if err != nil {
			return err
		}
	}
	return g.hand(ctx)
}

// errReady says that the data of a site will be handed over together with that of others.
var errReady = errors.New("ready")

// hand hands over the imports that are ready.
func (g *gathering) hand(ctx context.Context) error {
	list := g.ready
	g.ready, g.bytes = nil, 0
	if len(list) == 0 {
		return nil
	}
	return g.Imports.Hand(ctx, list)
}

// acting is Service.acting. It calls it only once for each actor.
func (g *gathering) acting(ctx context.Context, w *Source) (context.Context, error) {
	who := actor{w.User, w.Credential}
	done, known := g.acts[who]
	if !known {
		done.ctx, done.err = g.Service.acting(ctx, w)
		g.acts[who] = done
	}
	return done.ctx, done.err
}

// gather reads the events that another site gives. Events that it no longer gives are withdrawn immediately,
// whoever created the source. New events are imported. The site is read as everyone sees it, in its own scope.
func (g *gathering) gather(ctx context.Context, w *Source, o *Outcome) error {
	site := tenancy.Current(ctx).Site
	giver, err := g.Store.Giver(ctx, "", w.Giver)
	if err != nil && !errors.Is(err, tenancy.ErrNoSite) {
		return err
	}
	var list []reading.Entry
	var news *News
	gives := err == nil && giver.Gives(site) && !w.Leaving
	if o.Seen = -1; giver != nil {
		o.Seen = giver.Version
	}
	if gives {
		if news, err = g.news(ctx, w, giver); err != nil {
			return err
		}
		if list, err = g.gift(ctx, w, giver, news); err != nil {
			return err
		}
	}
	if err := g.withdraw(ctx, w, list, news); err != nil {
		return err
	}
	switch {
	case w.Leaving:
		if err := g.Store.Remove(ctx, w.ID, g.hold); err != nil {
			return err
		}
		return errLeft
	case !gives:
		o.Problem = imports.ProblemOf(tenancy.ErrNoSite)
		return nil
	case !w.Active:
		return nil
	}
	return g.prepareImport(ctx, w, o, g.homeOf(giver, w), list, news != nil)
}

// news returns the events of a site that have changed since the last read. It returns nil if the whole site must be read.
func (g *gathering) news(ctx context.Context, w *Source, giver *tenancy.Site) (*News, error) {
	if w.Seen <= 0 || w.Digest == nil {
		return nil, nil //nolint:nilnil // nothing is known, which is no error
	}
	there := tenancy.With(ctx, tenancy.Scope{Site: giver, Language: giver.Language})
	list, known, err := g.Store.Since(there, w.Seen, mostNews)
	if err != nil || !known {
		return nil, err
	}
	n := &News{IDs: make([]int64, 0, len(list)), UIDs: make([]string, 0, len(list))}
	for _, c := range list {
		n.IDs = append(n.IDs, c.ID)
		if c.Whole != c.ID {
			n.IDs = append(n.IDs, c.Whole)
		}
		n.UIDs = append(n.UIDs, services.UIDOf(giver, &calendar.Event{Post: calendar.Post{ID: c.Whole}, UID: c.UID}))
	}
	return n, nil
}

// News are the events of a site that have changed: their IDs and UIDs. The dates of a series have its UID.
type News struct {
	IDs  []int64
	UIDs []string
}

// mostNews is the most changes that are read one by one. If there are more, the whole site is read.
const mostNews = 500

// withdraw removes the events of a source that its site no longer gives. If news is set, it considers only the
// events in news.
func (g *gathering) withdraw(ctx context.Context, w *Source, list []reading.Entry, news *News) error {
	var uids []string
	if news != nil {
		if uids = news.UIDs; len(uids) == 0 {
			return nil
		}
	}
	have, err := g.Store.Given(ctx, w.ID, uids)
	if err != nil {
		return err
	}
	for i := range list {
		delete(have, list[i].UID)
	}
	if len(have) == 0 {
		return nil
	}
	ctx = tenancy.AsProvider(ctx, tenancy.Provider{Scheduled: true})
	return g.Calendar.Events().Withdraw(ctx, slices.Sorted(maps.Values(have)))
}

// prepareImport prepares the import of the entries that another site gives, unless they are the same as the last time.
// partial says that they include only changed entries.
func (g *gathering) prepareImport(ctx context.Context, w *Source, o *Outcome, home string, list []reading.Entry, partial bool) error {
	ctx, err := g.acting(ctx, w)
	if err != nil {
		o.Problem = imports.ProblemOf(err)
		return nil
	}
	if partial && len(list) == 0 {
		return nil
	}
	data, err := reading.Wrap(w.Giver, list)
	if err != nil {
		return err
	}
	digest := imports.Digest(data)
	if slices.Equal(digest, w.Digest) {
		return nil
	}
	asked := maps.Clone(w.Given)
	if asked == nil {
		asked = args.Values{}
	}
	asked["policy"], asked["gone"] = w.Policy, imports.Keep
	r := &imports.Reading{Source: w.ID, Name: w.Name, URL: home, Known: w.Known, Format: string(reading.Gift), Asked: asked, Data: data,
		Entries: len(list), Handed: imports.Handed{Lease: g.hold.Key, Digest: digest, Seen: o.Seen}}
	i, err := r.Handing(ctx)
	if err != nil {
		return err
	}
	g.ready, g.bytes = append(g.ready, i), g.bytes+len(data)
	return errReady
}

// gift returns the events that a site gives as entries, read as everyone sees them. If news is set, it returns only
// the events in news.
func (s *Service) gift(ctx context.Context, w *Source, giver *tenancy.Site, news *News) ([]reading.Entry, error) {
	var only []int64
	if news != nil {
		if only = news.IDs; len(only) == 0 {
			return nil, nil
		}
	}
	to := tenancy.Current(ctx).Site
	home := s.homeOf(giver, w)
	there := tenancy.With(ctx, tenancy.Scope{Site: giver, Language: giver.Language, Base: tenancy.Base{Origin: home}})
	filter, err := w.Filter.Events()
	if err != nil {
		return nil, err
	}
	feed, err := s.Calendar.Events().Gift(there, &filter.EventFilter, only)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	table, err := sheets.NewTable(there, &out, sheets.Form{Picture: func(i *calendar.Image) string {
		return home + "/media/" + i.Key + "/" + url.PathEscape(i.File)
	}}, s.Calendar.Now())
	if err != nil {
		return nil, err
	}
	g := &giving{from: giver, to: to, source: w, home: home, belongs: map[string]*calendar.Elsewhere{}, named: map[string][]any{}}
	for {
		some, err := feed.Next(there)
		if err != nil {
			return nil, err
		}
		if len(some) == 0 {
			break
		}
		for i := range some {
			if !g.take(there, some[i].Event) {
				continue
			}
			if err := table.Write(&some[i]); err != nil {
				return nil, fmt.Errorf("write given events: %w", err)
			}
		}
	}
	if err := table.Close(); err != nil {
		return nil, fmt.Errorf("write given events: %w", err)
	}
	return g.entries(out.Bytes())
}
