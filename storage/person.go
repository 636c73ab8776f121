package storage

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
)

// A site knows a person by an e-mail address: as a user, as the sender of submissions, as a subscriber of letters,
// or as several of these. A former user is still found through the address in the history.
const personIDs = `
	SELECT u.id
	FROM users u
	WHERE u.site_id = $1
	  AND u.email_key = $2
	UNION
	SELECT c.id
	FROM changes c
	WHERE c.site_id = $1
	  AND c.kind = 'user'
	  AND c.version > (SELECT r.replaced_version FROM sites r WHERE r.id = $1)
	  AND lower(c.before ->> 'email') = $2`

// personParts are the parts of what a site stores about a person, each a list of JSON objects. No part has a password, a key
// or a token.
var personParts = map[string]string{
	"accounts": `
		SELECT json_build_object('id', u.id, 'username', u.login, 'email', u.email, 'name', u.name, 'role', u.role, 'language', u.language,
		       'created_at', u.created_at)
		FROM users u
		WHERE u.site_id = $1
		  AND u.id = ANY($3)
		ORDER BY u.id`,
	"keys": `
		SELECT json_build_object('kind', k.kind, 'name', k.name, 'created_at', k.created_at, 'last_used_at', k.last_used_at)
		FROM credentials k
		WHERE k.site_id = $1
		  AND k.user_id = ANY($3)
		ORDER BY k.id`,
	"passkeys": `
		SELECT json_build_object('name', k.name, 'created_at', k.created_at, 'last_used_at', k.last_used_at)
		FROM passkeys k
		WHERE k.site_id = $1
		  AND k.user_id = ANY($3)
		ORDER BY k.created_at`,
	"sessions": `
		SELECT json_build_object('user_agent', s.user_agent, 'address', s.address, 'created_at', s.created_at,
		       'last_seen_at', s.last_seen_at)
		FROM sessions s
		WHERE s.site_id = $1
		  AND s.user_id = ANY($3)
		ORDER BY s.created_at`,
	"history": `
		SELECT json_build_object('at', c.at, 'action', c.action, 'kind', c.kind, 'id', c.id, 'who', c.who, 'via', c.via, 'key', c.via_name,
		       'address', c.address)
		FROM changes c
		WHERE c.site_id = $1
		  AND c.version > (SELECT r.replaced_version FROM sites r WHERE r.id = $1)
		  AND (c.user_id = ANY($3) OR c.kind = 'user' AND c.id = ANY($3))
		ORDER BY c.version, c.n`,
	"authored": `
		SELECT json_build_object('kind', a.kind, 'id', a.id, 'title', a.title)
		FROM (
			SELECT 'event' AS kind, e.id, e.title, e.author FROM events e WHERE e.site_id = $1
			UNION ALL
			SELECT 'venue', v.id, v.name, v.author FROM venues v WHERE v.site_id = $1
			UNION ALL
			SELECT 'organizer', o.id, o.name, o.author FROM organizers o WHERE o.site_id = $1
		) a
		WHERE a.author = ANY($3)
		ORDER BY a.kind, a.id`,
	"submissions": `
		SELECT json_build_object('event', s.event_id, 'sent', s.sent, 'created_at', s.created_at, 'settled', s.settled,
		       'message', s.message)
		FROM submissions s
		WHERE s.site_id = $1
		  AND s.email = $2
		ORDER BY s.created_at`,
	"letter_subscriptions": `
		SELECT json_build_object('email', l.email, 'language', l.language, 'period', l.period, 'filter', l.filter,
		       'created_at', l.created_at, 'confirmed_at', l.confirmed_at)
		FROM letter_subscriptions l
		WHERE l.site_id = $1
		  AND l.email_key = $2
		ORDER BY l.created_at`,
	"unconfirmed_submissions": `
		SELECT json_build_object('sent', s.sent, 'created_at', s.created_at)
		FROM unconfirmed_submissions s
		WHERE s.site_id = $1
		  AND s.email = $2
		ORDER BY s.created_at`,
	"reports": `
		SELECT json_strip_nulls(json_build_object('event', r.event_id, 'venue', r.venue_id, 'organizer', r.organizer_id,
		       'text', r.said, 'email', r.email, 'created_at', r.created_at))
		FROM reports r
		WHERE r.site_id = $1
		  AND r.email_key = $2
		ORDER BY r.created_at`,
}

// Person returns what the site of the scope stores about the person with an e-mail address, by part. It leaves out empty
// parts.
func (db *DB) Person(ctx context.Context, email string) (map[string][]json.RawMessage, error) {
	var people []int64
	key := tenancy.Fold(email)
	if err := db.Read(ctx, func(site int64, b *pgx.Batch) {
		queuePerson(b, site, key, &people)
	}); err != nil {
		return nil, err
	}
	all := map[string][]json.RawMessage{}
	err := db.Read(ctx, func(site int64, b *pgx.Batch) {
		clear(all)
		for name, sql := range personParts {
			part := "SELECT p FROM (" + sql + ") x (p) WHERE $2::text IS NOT NULL AND $3::bigint[] IS NOT NULL"
			b.Queue(part, site, key, people).Query(func(rows pgx.Rows) error {
				list, err := pgx.CollectRows(rows, pgx.RowTo[json.RawMessage])
				if len(list) > 0 {
					all[name] = list
				}
				return err
			})
		}
	})
	return all, err
}

func queuePerson(b *pgx.Batch, site int64, key string, people *[]int64) {
	b.Queue(personIDs, site, key).Query(func(rows pgx.Rows) (err error) {
		*people, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		if *people == nil {
			*people = []int64{}
		}
		return err
	})
}

// ErasePerson removes a person from the data of the scope's site, both as the sender of submissions and from the
// history. Their account must have been deleted before. The events they sent and the changes they made stay. A call
// can be repeated. It returns how many rows it changed.
func (db *DB) ErasePerson(ctx context.Context, email string) (changed int64, err error) {
	const (
		unconfirmed = `
		DELETE FROM unconfirmed_submissions
		WHERE site_id = $1
		  AND email = $2`
		letters = `
		DELETE FROM letter_subscriptions
		WHERE site_id = $1
		  AND email_key = $2`
		sent = `
		UPDATE submissions
		SET email = '',
		    sent = sent - ARRAY['name', 'email', 'note'] || '{"name": "", "email": ""}',
		    message = '',
		    network = ''
		WHERE site_id = $1
		  AND email = $2
		RETURNING event_id`
		reported = `
		UPDATE reports
		SET email = '',
		    email_key = '',
		    network = ''
		WHERE site_id = $1
		  AND email_key = $2`
	)
	key := tenancy.Fold(email)
	err = db.Write(ctx, func(ctx context.Context, t *content.Tx) error {
		changed = 0
		people, events := []int64{}, []int64{}
		b := &pgx.Batch{}
		queuePerson(b, t.Site, key, &people)
		b.Queue(unconfirmed, t.Site, key)
		b.Queue(letters, t.Site, key)
		b.Queue(sent, t.Site, key).Query(pg.More(&events, pgx.RowTo[int64]))
		b.Queue(reported, t.Site, key).Exec(func(tag pgconn.CommandTag) error {
			changed += tag.RowsAffected()
			return nil
		})
		if err := t.Send(ctx, b); err != nil {
			return err
		}
		changed += int64(len(events))
		var n int64
		err := t.QueryRow(ctx, `SELECT erase_person($1, $2)`, people, events).Scan(&n)
		changed += n
		return err
	})
	return changed, err
}
