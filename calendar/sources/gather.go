package sources

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// narrow sets the filter and the mapping of categories of a source.
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

// ofTEC are the parameters with which a site with The Events Calendar filters events.
var ofTEC = []string{"search", "categories", "tags", "venue", "organizer", "featured"}

// selects refuses a filter that the source does not support.
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

// mostMapped is the most categories that a mapping may have.
const mostMapped = 500

// readMapping returns a mapping from the giver's categories to this site's. It reads an object, or lines "theirs = ours".
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

// MappingText returns a mapping as people type it.
func (w *Source) MappingText() string {
	var lines []string
	for _, theirs := range slices.Sorted(maps.Keys(w.Mapping)) {
		lines = append(lines, theirs+" = "+w.Mapping[theirs])
	}
	return strings.Join(lines, "\n")
}

// giver sets the site that gives events to a source. It returns tenancy.ErrNoSite for a site that does not exist or does not
// give its events, so that nobody learns which is the case.
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

// homeOf returns the scheme and host of another site.
func (s *Service) homeOf(site *tenancy.Site, w *Source) string {
	base := tenancy.Base{Scheme: "https"}
	if u, err := url.Parse(w.Home); err == nil && u.Scheme != "" {
		if base.Scheme = u.Scheme; u.Port() != "" {
			base.Port = ":" + u.Port()
		}
	}
	return s.Home(&tenancy.Scope{Site: site, Base: base})
}
