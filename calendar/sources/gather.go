package sources

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/sheets"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// narrow puts which events another site gives, and what their categories are called here, into a source.
func (s *Service) narrow(_ context.Context, w *Source, f *Fields) error {
	if f.Filter.Given() {
		said, _ := f.Filter.Get()
		filter, err := changes.ReadNarrowing(said.Value)
		if err == nil {
			_, err = filter.Events()
		}
		if err != nil {
			return err
		}
		w.Filter = filter
	}
	if f.Mapping.Given() {
		said, _ := f.Mapping.Get()
		mapping, err := readMapping(said.Value)
		if err != nil {
			return args.Invalid("mapping", "problem.type.object", nil)
		}
		w.Mapping = mapping
	}
	if w.Kind != Site && len(w.Mapping) > 0 {
		return args.Invalid("mapping", "problem.enum", map[string]any{"Allowed": "kind=" + Site})
	}
	return selects(w)
}

// ofTEC are the parameters by which a site with The Events Calendar selects events.
var ofTEC = []string{"search", "categories", "tags", "venue", "organizer", "featured"}

// selects refuses a filter that the source does not know.
func selects(w *Source) error {
	allowed := ""
	switch w.Kind {
	case Site, Kalends:
		return nil
	case TEC:
		for name := range w.Filter {
			if !slices.Contains(ofTEC, name) {
				allowed = strings.Join(ofTEC, ", ")
			}
		}
	default:
		allowed = "kind=" + strings.Join([]string{TEC, Kalends, Site}, ", ")
	}
	if len(w.Filter) == 0 || allowed == "" {
		return nil
	}
	return args.Invalid("filter", "problem.enum", map[string]any{"Allowed": allowed})
}

// most is how many categories a mapping has at most.
const mostMapped = 500

// readMapping returns what categories are called here: from an object, or from lines "theirs = ours".
func readMapping(said any) (map[string]string, error) {
	mapping := map[string]string{}
	switch said := said.(type) {
	case map[string]any:
		for name, ours := range said {
			text, ok := ours.(string)
			if !ok {
				return nil, fmt.Errorf("%T", ours)
			}
			mapping[strings.TrimSpace(name)] = strings.TrimSpace(text)
		}
	case string:
		for line := range strings.FieldsFuncSeq(said, func(r rune) bool { return r == '\n' || r == ';' }) {
			theirs, ours, ok := strings.Cut(line, "=")
			switch {
			case strings.TrimSpace(line) == "":
			case !ok:
				return nil, errors.New(line)
			default:
				mapping[strings.TrimSpace(theirs)] = strings.TrimSpace(ours)
			}
		}
	}
	if len(mapping) > mostMapped {
		return nil, fmt.Errorf("%d", len(mapping))
	}
	return mapping, nil
}

// MappingText returns a mapping as it is typed.
func (w *Source) MappingText() string {
	var lines []string
	for _, theirs := range slices.Sorted(maps.Keys(w.Mapping)) {
		lines = append(lines, theirs+" = "+w.Mapping[theirs])
	}
	return strings.Join(lines, "\n")
}

// giver puts the site that gives events into a source. It returns tenancy.ErrNoSite for one that there is not, and for one that does not
// give its events: nobody learns which.
func (s *Service) giver(ctx context.Context, w *Source, f *Fields) error {
	scope := tenancy.Current(ctx)
	slug, said := f.URL.Get()
	if slug = strings.ToLower(strings.TrimSpace(slug)); !said || slug == w.Shown {
		return nil
	}
	site, err := s.Store.Giver(ctx, slug, 0)
	if err == nil && !site.Gives(scope.Site) {
		err = tenancy.ErrNoSite
	}
	if err != nil {
		return err
	}
	w.Giver, w.Shown = site.ID, site.Slug
	if !f.Page.Given() {
		w.Page = s.homeOf(site, w)
	}
	return s.seal(scope.Site.ID, w, &Secret{URL: slug})
}

// homeOf returns scheme and host of another site.
func (s *Service) homeOf(site *tenancy.Site, w *Source) string {
	base := tenancy.Base{Scheme: "https"}
	if u, err := url.Parse(w.Home); err == nil && u.Scheme != "" {
		if base.Scheme = u.Scheme; u.Port() != "" {
			base.Port = ":" + u.Port()
		}
	}
	return s.Home(&tenancy.Scope{Site: site, Base: base})
}

// gather reads what another site gives: what it gives no longer is withdrawn at once, whoever made the source; what is new there is
// imported. The site is read as anybody sees it, in a scope of its own.
func (s *Service) gather(ctx context.Context, w *Source, hold *Hold, o *Outcome) error {
	site := tenancy.Current(ctx).Site
	giver, err := s.Store.Giver(ctx, "", w.Giver)
	if err != nil && !errors.Is(err, tenancy.ErrNoSite) {
		return err
	}
	var list []reading.Entry
	gives := err == nil && giver.Gives(site) && !w.Leaving
	if o.Seen = -1; giver != nil {
		o.Seen = giver.Version
	}
	if gives {
		if list, err = s.gift(ctx, w, giver); err != nil {
			return err
		}
	}
	if err := s.withdraw(ctx, w, list); err != nil {
		return err
	}
	switch {
	case w.Leaving:
		if err := s.Store.Remove(ctx, w.ID, hold); err != nil {
			return err
		}
		return errLeft
	case !gives:
		o.Problem = imports.ProblemOf(tenancy.ErrNoSite)
		return nil
	case !w.Active:
		return nil
	}
	return s.bring(ctx, w, hold, o, s.homeOf(giver, w), list)
}

// withdraw removes the events of a source that its site gives no longer.
func (s *Service) withdraw(ctx context.Context, w *Source, list []reading.Entry) error {
	have, err := s.Store.Given(ctx, w.ID)
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
	return s.Calendar.Events().Withdraw(ctx, slices.Sorted(maps.Values(have)))
}

// bring has the entries that another site gives imported, unless they are what was read last.
func (s *Service) bring(ctx context.Context, w *Source, hold *Hold, o *Outcome, home string, list []reading.Entry) error {
	ctx, err := s.acting(ctx, w)
	if err != nil {
		o.Problem = imports.ProblemOf(err)
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
	if _, err = s.Imports.Import(ctx, &imports.Reading{Source: w.ID, Name: w.Name, URL: home, Known: w.Known, Format: string(reading.Gift), Asked: asked,
		Data: data, Handed: imports.Handed{Lease: hold.Key, Digest: digest, Seen: o.Seen}}); err != nil {
		return err
	}
	return errHanded
}

// gift returns the events that a site gives, as entries: read as anybody sees them.
func (s *Service) gift(ctx context.Context, w *Source, giver *tenancy.Site) ([]reading.Entry, error) {
	to := tenancy.Current(ctx).Site
	home := s.homeOf(giver, w)
	there := tenancy.With(ctx, tenancy.Scope{Site: giver, Language: giver.Language, Base: tenancy.Base{Origin: home}})
	filter, err := w.Filter.Events()
	if err != nil {
		return nil, err
	}
	feed, err := s.Calendar.Events().Gift(there, &filter.EventFilter)
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

// giving is what one site gives to another.
type giving struct {
	from, to *tenancy.Site
	source   *Source
	home     string

	belongs map[string]*calendar.Elsewhere // by UID
	named   map[string][]any               // categories here, by UID
}

// take notes an event, and reports whether it is given.
func (g *giving) take(ctx context.Context, e *calendar.Event) bool {
	there := calendar.GivesTo(ctx, e, g.home, g.to)
	if there == nil {
		return false
	}
	uid := calendar.UIDOf(g.from, e)
	g.belongs[uid] = there
	for i := range e.Categories {
		if name := g.here(&e.Categories[i]); name != "" {
			g.named[uid] = append(g.named[uid], map[string]any{"name": name})
		}
	}
	return true
}

// here returns what a category is called here, or "" for one that is not taken.
func (g *giving) here(c *calendar.Term) string {
	for theirs, ours := range g.source.Mapping {
		if folded := wording.Fold(theirs); folded == wording.Fold(c.Name) || theirs == c.Slug {
			return ours
		}
	}
	return ""
}

// spoken leaves out the texts in languages that the site that gathers has none in.
func (g *giving) spoken(v any) {
	switch v := v.(type) {
	case args.Values:
		g.spoken(map[string]any(v))
	case map[string]any:
		for name, value := range v {
			texts, is := value.(map[string]any)
			if name != "translations" || !is {
				g.spoken(value)
				continue
			}
			maps.DeleteFunc(texts, func(language string, _ any) bool { return !g.to.Speaks(language) })
			if len(texts) == 0 {
				delete(v, name)
			}
		}
	case []any:
		for _, one := range v {
			g.spoken(one)
		}
	}
}

// entries reads the table that was written as entries, with where they belong.
func (g *giving) entries(table []byte) ([]reading.Entry, error) {
	file, err := reading.Read(table, reading.Options{Format: reading.CSV, Zone: g.from.Location, Now: time.Time{}})
	if err != nil {
		return nil, fmt.Errorf("read given events: %w", err)
	}
	var list []reading.Entry
	for e := range file.Entries {
		there := g.belongs[e.UID]
		if there == nil || e.Values == nil {
			continue
		}
		for _, name := range calendar.OwnOfGiven() {
			if name != "slug" { // it begins with that of the giver
				delete(e.Values, name)
			}
		}
		g.spoken(map[string]any(e.Values))
		e.Values[reading.Belongs] = there
		if named := g.named[e.UID]; len(named) > 0 && e.Recurrence == "" {
			e.Values["categories"] = named
		}
		e.Cells, e.Warnings = nil, nil
		list = append(list, e)
	}
	return list, nil
}
