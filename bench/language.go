package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// bilingual is the site with all texts in two languages.
const bilingual = "bilingual"

// translate adds a German translation to every text of that site.
func (d *dataset) translate(ctx context.Context, conn *pgx.Conn) error {
	const speaks = `UPDATE sites SET content_languages = '{en,de}' WHERE id = $1`
	const events = `
		UPDATE events
		SET languages = '{de}',
		    translations = jsonb_build_object('de', jsonb_build_object('title', title, 'description', description,
				'excerpt', excerpt, 'slug', slug || '-de', 'version', 1))
		WHERE site_id = $1`
	const places = `
		UPDATE %s
		SET translations = jsonb_build_object('de', jsonb_build_object('title', name, 'description', description, 'slug', slug || '-de', 'version', 1))
		WHERE site_id = $1`
	s := d.bySlug[bilingual]
	if s == nil {
		return nil
	}
	b := &pgx.Batch{}
	b.Queue(speaks, s.id)
	b.Queue(events, s.id)
	for _, table := range []string{"venues", "organizers", "terms"} {
		b.Queue(fmt.Sprintf(places, table), s.id)
	}
	if err := conn.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("texts of %s: %w", s.slug, err)
	}
	return nil
}

// languageWork compares a list in a site's second language with one in its first.
func (b *bench) languageWork() work {
	s := b.main.bySlug[bilingual]
	second := listOf(s, 1)
	second.path = "/de" + second.path
	return work{"cold list in a second language", b.load(b.cold, "in the second", 8, second), b.load(b.cold, "in the first", 8, listOf(s, 1)), 0.91}
}
