package storage

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/eventtest"
)

// neighbours fills every table for two sites whose ids don't overlap.
func neighbours(k *kit) (own, foreign *calendar.Event, other int64) {
	other = k.NewSite("two")
	_, err := k.db.Across(eventtest.Why).Exec(k.Context(), `UPDATE sites SET last_post_id = 1000, last_term_id = 1000 WHERE id = $1`, other)
	k.Must(err)
	for _, site := range []int64{k.Site, other} {
		k.Exec(site, `INSERT INTO credentials (site_id, id, user_id, kind, name, hash) VALUES ($1, 1, 1, 'api_key', '', '')`, site)
		k.Exec(site, `INSERT INTO sessions (site_id, id, user_id, seal, csrf, created_at, last_seen_at, expires_at)
			VALUES ($1, 'x', 1, '', '', now(), now(), now())`, site)
		k.Exec(site, `INSERT INTO drafts (site_id, user_id, kind, id, form, base, at) VALUES ($1, 1, 'event', 0, '{}', 0, now())`, site)
		k.Exec(site, `INSERT INTO redirects (site_id, kind, slug, id) VALUES ($1, 'event', 'was', 1)`, site)
		k.Exec(site, `INSERT INTO translated_slugs (site_id, kind, slug, language, id) VALUES ($1, 'event', 'war', 'de', 1)`, site)
		k.Exec(site, `INSERT INTO vouchers (site_id, id, user_id, kind, seal, created_at, expires_at)
			VALUES ($1, 'x', 1, 'reset', '', now(), now())`, site)
		k.Exec(site, `INSERT INTO passkeys (site_id, id, user_id, name, sign_count, data, created_at) VALUES ($1, 'x', 1, '', 0, '', now())`, site)
		k.Exec(site, `INSERT INTO second_factors (site_id, user_id, secret, last_step, codes, created_at) VALUES ($1, 1, '', 0, '{}', now())`, site)
		k.Exec(site, `INSERT INTO sign_in_providers (site_id, issuer, client_id, secret, claim, groups, others, passwords, changed_at)
			VALUES ($1, '', '', '', '', '{}', '', true, now())`, site)
		k.Exec(site, `INSERT INTO sign_in_identities (site_id, issuer, subject, user_id, created_at) VALUES ($1, '', 'x', 1, now())`, site)
		k.Exec(site, `INSERT INTO challenges (site_id, id, data, expires_at) VALUES ($1, 'x', '', now())`, site)
		k.Exec(site, `INSERT INTO attempts (site_id, id, full_at) VALUES ($1, 'x', now())`, site)
		k.Exec(site, `INSERT INTO forms (site_id, id, at) VALUES ($1, 'x', now())`, site)
		k.Exec(site, `INSERT INTO domain_claims (site_id, domain, token, created_at) VALUES ($1, 'x.example', '', now())`, site)
		ctx := k.Ctx
		k.Ctx = k.As(site, 1)
		own, foreign = foreign, k.Create(k.Sample(full, eventtest.Titled("Same")), fullLinks())
		k.Ctx = ctx
		k.Exec(site, `INSERT INTO previews (site_id, event_id, token, made_by, made_at, expires_at)
			VALUES ($1, $2, $3, 1, now(), now() + interval '1 day')`, site, foreign.ID, fmt.Sprint("preview", site))
		k.Exec(site, `INSERT INTO removed_occurrences (site_id, series_id, original_start, id, removed_at)
			VALUES ($1, $2, now(), 900000, now())`, site, foreign.ID)
		k.Exec(site, `INSERT INTO former_dates (site_id, series_id, original_start, id) VALUES ($1, $2, now(), 900001)`, site, foreign.ID)
		k.Exec(site, `INSERT INTO divided_series (site_id, series_id, from_start, heir_id) VALUES ($1, $2, now(), $2)`, site, foreign.ID)
		k.Exec(site, `INSERT INTO unconfirmed_submissions (site_id, id, email, client, sent, created_at, expires_at)
			VALUES ($1, 'x', '', '', '{}', now(), now())`, site)
		k.Exec(site, `INSERT INTO submissions (site_id, event_id, id, email, sent, proved, created_at)
			VALUES ($1, $2, 'x', '', '{}', true, now())`, site, foreign.ID)
		k.Exec(site, `INSERT INTO reports (site_id, id, event_id, date_id, day, said, email, email_key, network, created_at)
			VALUES ($1, 'x', $2, 0, '', '', '', '', '', now())`, site, foreign.ID)
		k.Exec(site, `INSERT INTO kept_answers (site_id, id, fingerprint, role, at) VALUES ($1, 'x', '', '', now())`, site)
		k.Exec(site, `INSERT INTO selections (site_id, key, kind, looked, asked_at)
			VALUES ($1, '00000000-0000-0000-0000-000000000001', 'event', 1, now())`, site)
		k.Exec(site, `INSERT INTO selected_objects (site_id, key, id, came, changed, at)
			VALUES ($1, '00000000-0000-0000-0000-000000000001', $2, 1, 1, now())`, site, foreign.ID)
		k.Exec(site, `INSERT INTO imports (site_id, id, state, created_at) VALUES ($1, 1, 'done', now())`, site)
		k.Exec(site, `INSERT INTO import_files (site_id, import_id, n, data) VALUES ($1, 1, 0, 'x')`, site)
		k.Exec(site, `INSERT INTO import_entries (site_id, import_id, number, result) VALUES ($1, 1, 1, 'same')`, site)
		k.Exec(site, `INSERT INTO import_made (site_id, import_id, kind, id) VALUES ($1, 1, 'venue', 1)`, site)
		k.Exec(site, `INSERT INTO import_identities (site_id, source, uid, event_id, place, digest, said)
			VALUES ($1, 'x', 'x', $2, 'x', 'x', '{}')`, site, foreign.ID)
		k.Exec(site, `INSERT INTO import_brought (site_id, source, kind, was, id, said, version) VALUES ($1, 'x', 'venue', 1, 1, '{}', 1)`, site)
		k.Exec(site, `INSERT INTO import_columns (site_id, header, columns, at) VALUES ($1, 'x', '{}', now())`, site)
		k.Exec(site, `INSERT INTO sources (site_id, id, version, name, kind, sealed, known, every, policy, gone, user_id, home, created_at)
			VALUES ($1, 1, 1, 'x', 'ics', '', '', 3600, 'update', 'cancel', 1, '', now())`, site)
		k.Exec(site, `INSERT INTO letter_subscriptions (site_id, id, email, email_key, language, period, home, created_at, issue_at)
			VALUES ($1, 1, '', '', 'en', 'daily', '', now(), now())`, site)
		k.Exec(site, `INSERT INTO event_numbers (site_id, event_id, day) VALUES ($1, $2, '2020-01-01')`, site, foreign.ID)
		k.Exec(site, `INSERT INTO site_numbers (site_id, day) VALUES ($1, '2020-01-01')`, site)
		k.Exec(site, `INSERT INTO letter_months (site_id, month) VALUES ($1, '2020-01-01')`, site)
		k.Exec(site, `INSERT INTO webhooks (site_id, id, version, url, events, payload, home, user_id, secrets, seen_version, created_at)
			VALUES ($1, 1, 1, 'https://example.org/', '{*}', 'thin', '', 1, '[]', 1, now())`, site)
		k.Exec(site, `INSERT INTO webhook_messages (site_id, webhook_id, kind, object, message, event, fresh, leaves, version, at, planned_at, due_at)
			VALUES ($1, 1, 'event', $2, 'x', 'event.updated', false, false, 1, now(), now(), now())`, site, foreign.ID)
		k.Exec(site, `INSERT INTO webhook_deliveries (site_id, webhook_id, id, message, event, kind, object, version, changed_at, try, at, took,
			request, status, answer, problem) VALUES ($1, 1, 1, 'x', 'event.updated', 'event', $2, 1, now(), 1, now(), 0, '{}', 200, '', '')`,
			site, foreign.ID)
		k.Exec(site, `INSERT INTO occurrence_days (site_id, start_day, end_day, occurrences) VALUES ($1, '2020-01-01', '2020-01-01', 0)`, site)
	}
	return own, foreign, other
}

// isView reports whether a table of sites is a view of others, as one is on a cluster.
func isView(table string) bool { return storagetest.OnCluster() && table == "event_texts" }

// TestStatementsNameTheSite takes the second wall away.
func TestStatementsNameTheSite(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	own, foreign, other := neighbours(k)
	owner := k.Owner()
	for _, table := range storagetest.SiteTables {
		if isView(table) {
			continue
		}
		_, err := owner.Exec(t.Context(), "ALTER TABLE "+table+" DISABLE ROW LEVEL SECURITY")
		k.Must(err)
	}
	var all int
	k.Must(k.db.Across(eventtest.Why).QueryRow(t.Context(), "SELECT count(*) FROM events").Scan(&all))
	k.Equal("the wall is down", all, 2)

	k.Lists("own", calendar.EventQuery{WithHidden: true, Viewer: calendar.Viewer{All: true}}, own)
	k.Lists("include", calendar.EventQuery{Include: []int64{foreign.ID}})
	k.Lists("search", calendar.EventQuery{Search: wording.Search{Words: []string{"same"}}}, own)
	k.Lists("near", calendar.EventQuery{Near: &calendar.Circle{Lat: 48.1, Lng: 11.5, Km: 1}}, own)
	for arg, q := range map[string]calendar.EventQuery{
		"venue: problem.venue.unknown":         {Venues: []int64{foreign.Venues[0].ID}},
		"organizer: problem.organizer.unknown": {Organizers: []int64{foreign.Organizers[0].ID}},
		"categories: problem.category.named":   {Categories: eventtest.TermLinks(foreign.Categories[0].ID).Refs},
		"tags: problem.tag.named":              {Tags: eventtest.TermLinks(foreign.Tags[0].ID).Refs},
		"post_parent: problem.event.unknown":   {Parent: foreign.ID},
	} {
		q.Viewer.All = true
		_, err := k.db.Events().List(k.Ctx, q)
		k.Refuses(err, arg)
	}
	events := k.db.Events()
	for _, id := range []int64{foreign.ID, foreign.Venues[0].ID, foreign.Organizers[0].ID, foreign.Image.ID} {
		_, err := events.Get(k.Ctx, calendar.Key{ID: id})
		k.Wants(err, calendar.ErrNotFound)
		_, err = events.Update(k.Ctx, calendar.Key{ID: id}, changed())
		k.Wants(err, calendar.ErrNotFound)
		_, err = events.Delete(k.Ctx, calendar.Key{ID: id}, keep)
		k.Wants(err, calendar.ErrNotFound)
	}
	k.Refuses(events.Create(k.Ctx, k.Sample(), eventtest.VenueLinks(foreign.Venues[0].ID)), "venue: problem.venue.unknown")
	k.Refuses(events.Create(k.Ctx, k.Sample(), eventtest.OrganizerLinks(foreign.Organizers[0].ID)), "organizer: problem.organizer.unknown")
	image := func(e *calendar.Event) { e.Image = &calendar.Image{ID: foreign.Image.ID} }
	k.Refuses(events.Create(k.Ctx, k.Sample(image), calendar.EventLinks{}), "image: problem.image.unknown")
	skipped := k.Create(k.Sample(), calendar.EventLinks{Tags: eventtest.TermLinks(foreign.Tags[0].ID)})
	k.Equal("tags", len(skipped.Tags), 0)

	_, err := events.Delete(k.Ctx, calendar.Key{ID: own.ID}, keep)
	k.Must(err)
	got, err := events.Get(k.As(other, 1), calendar.Key{Slug: "same"})
	k.Must(err)
	k.Equal("the other's", got, foreign)
}

// TestPoliciesHoldWithoutTheClause takes the first wall away: no statement here
// names the site.
func TestPoliciesHoldWithoutTheClause(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	_, _, other := neighbours(k)
	for _, table := range storagetest.SiteTables {
		if table == "event_texts" || isView(table) {
			continue // it has the rows of events: TestSearchByIndex
		}
		var seen, own, without int
		k.In(k.Site, func(tx pgx.Tx) error {
			sql, err := storagetest.Placed(t.Context(), tx, k.Site, "SELECT count(*), count(*) FILTER (WHERE site_id = $1) FROM "+table)
			if err != nil {
				return err
			}
			return tx.QueryRow(t.Context(), sql, k.Site).Scan(&seen, &own)
		})
		k.Must(k.db.Across(eventtest.Why).QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&without))
		if own == 0 || seen != own || without != 0 {
			t.Errorf("%s: sees %d, %d of them its own; %d without a site", table, seen, own, without)
		}
		columns := k.Column(`
			SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)
			FROM pg_attribute
			WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attname <> 'site_id'`, table)
		k.refusedBy(table, "INSERT INTO %s (site_id, "+columns[0]+") SELECT $1, "+columns[0]+" FROM %[1]s x", other)
		k.refusedBy(table, "UPDATE %s SET site_id = $1", other)
		if table == "changes" {
			continue // nobody may alter it
		}
		k.In(k.Site, func(tx pgx.Tx) error {
			for _, sql := range []string{"UPDATE %s SET site_id = site_id WHERE site_id = $1", "DELETE FROM %s WHERE site_id = $1"} {
				tag, err := tx.Exec(t.Context(), fmt.Sprintf(sql, table), other)
				if err != nil || tag.RowsAffected() != 0 {
					t.Errorf("%s: %v, %v", table, tag, err)
				}
			}
			return nil
		})
	}
}

// refusedBy fails the test when a statement isn't refused for want of rights.
func (k *kit) refusedBy(table, sql string, arguments ...any) {
	k.Helper()
	undo := errors.New("undo")
	err := pgx.BeginFunc(k.Context(), k.db.At(eventtest.Why, k.Site), func(tx pgx.Tx) error {
		if err := pg.EnterIn(k.Context(), tx, k.Site); err != nil {
			return err
		}
		sql, err := storagetest.Placed(k.Context(), tx, k.Site, fmt.Sprintf(sql, table))
		if err != nil {
			return err
		}
		if _, err := tx.Exec(k.Context(), sql, arguments...); err != nil {
			return err
		}
		return undo
	})
	var said *pgconn.PgError
	if !errors.As(err, &said) || said.Code != "42501" {
		k.Errorf("%s: %v, want it refused", table, err)
	}
}

func TestWithoutScopeNothingIsRead(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	e := k.Event()
	ctx := context.WithoutCancel(t.Context())
	_, err := k.db.Events().List(ctx, calendar.EventQuery{})
	k.Wants(err, tenancy.ErrNoScope)
	_, err = k.db.Events().Get(ctx, calendar.Key{ID: e.ID})
	k.Wants(err, tenancy.ErrNoScope)
	k.Wants(k.db.Events().Create(ctx, k.Sample(), calendar.EventLinks{}), tenancy.ErrNoScope)
	_, err = k.db.Events().Update(ctx, calendar.Key{ID: e.ID}, changed())
	k.Wants(err, tenancy.ErrNoScope)
	_, err = k.db.Events().Delete(ctx, calendar.Key{ID: e.ID}, keep)
	k.Wants(err, tenancy.ErrNoScope)
}

// TestSchemaHoldsTheWalls looks for tables of sites that somebody forgot.
func TestSchemaHoldsTheWalls(t *testing.T) {
	t.Parallel()
	storagetest.Unspread(t, "two of the tables are views there")
	k := newKit(t)
	k.Equal("tables of sites", k.Column(`
		SELECT c.relname::text
		FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'site_id'
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
		  AND c.relname NOT IN ('schedule', 'domains', 'gatherings', 'user_addresses', 'webhook_rounds', 'letter_rounds', 'attention_rounds')
		ORDER BY array_position($1::text[], c.relname::text)`, storagetest.SiteTables), storagetest.SiteTables)
	k.Equal("without forced policies", k.Column(`
		SELECT c.relname::text
		FROM pg_class c
		WHERE c.relname = ANY($1) AND NOT (c.relrowsecurity AND c.relforcerowsecurity
		  AND 1 = (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd = '*' AND p.polpermissive))`, storagetest.SiteTables), []string(nil))
	k.Equal("keys that leave the site out", k.Column(`
		SELECT k.conname::text
		FROM pg_constraint k
		WHERE k.conrelid = ANY($1::text[]::regclass[]) AND k.contype IN ('p', 'u', 'f')
		  AND NOT EXISTS (
			SELECT FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = k.conkey[1] AND a.attname = 'site_id')`, storagetest.SiteTables), []string(nil))
	// Migration 97 says why the author comes first in one of them.
	k.Equal("indexes that don't start with the site", k.Column(`
		SELECT i.indexrelid::regclass::text
		FROM pg_index i
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
		WHERE i.indrelid = ANY($1::text[]::regclass[]) AND a.attname <> 'site_id'`, storagetest.SiteTables), []string{"events_of_author_idx"})
}
