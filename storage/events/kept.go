package events

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// keptValues are values that a change of an event replaced and that the history never shows. A field is nil if its
// value did not change. Only Replaced reads this column of the history.
type keptValues struct {
	Password      *[]byte    `json:"post_password,omitempty"` // its digest, empty for none
	PreviousStart *time.Time `json:"previous_start,omitempty"`
}

// keptOf returns the keptValues for the change from was to e.
func keptOf(was, e *calendar.Event) (k keptValues) {
	if !bytes.Equal(was.Password, e.Password) {
		password := append([]byte{}, was.Password...)
		k.Password = &password
	}
	if !was.PreviousStart.Equal(e.PreviousStart) {
		k.PreviousStart = &was.PreviousStart
	}
	return k
}

// logEvent is Log for the change of an event from was to e.
func logEvent(t *content.Tx, was, e *calendar.Event, action string, before pg.Document) {
	k := keptOf(was, e)
	if k == (keptValues{}) {
		t.Log("event", was.ID, action, before)
		return
	}
	raw, err := json.Marshal(k) //nolint:gosec // kept for undo, and shown to nobody
	if err != nil {             // for a year beyond the range of JSON
		raw = []byte("{}")
	}
	text := string(raw)
	t.LogKeeping("event", was.ID, action, before, &text)
}

// Replaced implements calendar.EventStore.
func (s Store) Replaced(ctx context.Context, id, version int64) (calendar.Replaced, error) {
	const query = `
		SELECT c.kept
		FROM changes c
		WHERE c.site_id = $1
		  AND c.version = $2
		  AND c.kind = 'event'
		  AND c.id = $3
		  AND c.kept IS NOT NULL`
	var k keptValues
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		k = keptValues{}
		b.Queue(query, site, version, id).Query(pg.Each([]any{&k}, func() error { return nil }))
	})
	return calendar.Replaced{Password: k.Password, PreviousStart: k.PreviousStart}, err
}
