package content

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/pg"
)

// Slugs assigns the slugs of an import from memory. It looks up expected slugs in advance, and an assigned slug
// counts as taken. The site's lock keeps free slugs free until the commit.
type Slugs struct {
	known map[slugOfKind]bool // whether it is taken
	asked map[slugOfKind]int  // how often a base was expected
	next  map[slugOfKind]int  // the first variant of a base that may be free
	todo  []slugOfKind        // still to be looked up
}

type slugOfKind struct{ kind, slug string }

// NewSlugs returns an empty Slugs.
func NewSlugs() *Slugs {
	return &Slugs{known: map[slugOfKind]bool{}, asked: map[slugOfKind]int{}, next: map[slugOfKind]int{}}
}

// variant returns the nth variant of a base: the base itself, base-2, base-3.
func variant(base slugOfKind, n int) slugOfKind {
	if n > 1 {
		base.slug = wording.SlugSuffix(base.slug, n)
	}
	return base
}

// Expect notes that one more slug will be made from base.
func (s *Slugs) Expect(kind, base string) {
	if base != "" {
		key := slugOfKind{kind, base}
		s.asked[key]++
		s.want(variant(key, s.asked[key]))
	}
}

func (s *Slugs) want(slug slugOfKind) {
	if _, known := s.known[slug]; !known {
		s.known[slug] = false
		s.todo = append(s.todo, slug)
	}
}

// take returns base, or base with the lowest number that makes the slug unique within the kind. Without a base, the
// base is the id.
func (s *Slugs) take(ctx context.Context, t *Tx, kind string, id int64, base string) (string, error) {
	if base == "" {
		base = strconv.FormatInt(id, 10)
	}
	key := slugOfKind{kind, base}
	for n := max(s.next[key], 1); ; n++ {
		slug := variant(key, n)
		if _, known := s.known[slug]; !known {
			for ahead := range max(8, n) {
				s.want(variant(key, n+ahead))
			}
			b := &pgx.Batch{}
			s.Queue(b, t.Site)
			if err := t.Send(ctx, b); err != nil {
				return "", err
			}
		}
		if !s.known[slug] {
			s.known[slug], s.next[key] = true, n+1
			return slug.slug, nil
		}
	}
}

// unusedInImport returns a slug for a text, with a number if the import has already assigned that slug. Outside of imports
// s is nil: the database then knows all slugs.
func (s *Slugs) unusedInImport(kind, slug string) string {
	base := slugOfKind{kind, slug}
	for n := 1; s != nil && s.known[base]; n++ {
		base = variant(slugOfKind{kind, slug}, n+1)
	}
	return base.slug
}

// markTranslated marks the slug of a translation as taken.
func (s *Slugs) markTranslated(kind, slug string) {
	if s != nil {
		s.known[slugOfKind{kind, slug}] = true
	}
}

const takenSlugs = `
	SELECT w.kind,
	       w.slug
	FROM unnest($2::text[], $3::text[]) w (kind, slug)
	WHERE CASE w.kind
		WHEN 'event' THEN EXISTS (
			SELECT FROM events e WHERE e.site_id = $1 AND e.slug = w.slug AND e.slug <> '')
		WHEN 'venue' THEN EXISTS (
			SELECT FROM venues v WHERE v.site_id = $1 AND v.slug = w.slug)
		WHEN 'organizer' THEN EXISTS (
			SELECT FROM organizers g WHERE g.site_id = $1 AND g.slug = w.slug)
		ELSE EXISTS (
			SELECT FROM terms c WHERE c.site_id = $1 AND c.taxonomy = w.kind AND c.slug = w.slug)
	END OR EXISTS (
		SELECT FROM translated_slugs l WHERE l.site_id = $1 AND l.kind = w.kind AND l.slug = w.slug OFFSET 0)`

// Queue looks up which of the slugs in todo are taken.
func (s *Slugs) Queue(b *pgx.Batch, site int64) {
	kinds, list := make([]string, 0, len(s.todo)), make([]string, 0, len(s.todo))
	for _, one := range s.todo {
		kinds, list = append(kinds, one.kind), append(list, one.slug)
	}
	s.todo = nil
	var taken slugOfKind
	b.Queue(takenSlugs, site, kinds, list).Query(pg.Each([]any{&taken.kind, &taken.slug}, func() error {
		s.known[taken] = true
		return nil
	}))
}
