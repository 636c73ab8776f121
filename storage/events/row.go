package events

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/storage/content"
	"github.com/kalends/kalends/storage/pg"
)

// counts reports whether the event counts by itself in its terms. A series counts once for all of its occurrences.
func counts(e *calendar.Event) bool { return countable(e) && alone(e) }

// countable reports whether the event, or the series that it belongs to, counts in its terms. Events with a
// password do not count: a count must not reveal what the password hides.
func countable(e *calendar.Event) bool { return e.Status == calendar.Publish && !e.Protected() }

// alone reports whether the event happens once and belongs to no series.
func alone(e *calendar.Event) bool { return e.Series == nil && !e.Recurring() }

// listed reports whether the event's occurrences are in public lists.
func listed(e *calendar.Event) bool { return e.Status == calendar.Publish && !e.Hidden }

const upsertOccurrence = `
	INSERT INTO occurrences (
		site_id,
		event_id,
		n,
		start_local,
		end_local,
		start_utc,
		end_utc,
		listed
	) VALUES ($1, $2, 0, $3, $4, $5, $6, $7)` + occurrenceThere

// occurrenceThere updates the existing row of an occurrence.
const occurrenceThere = `
	ON CONFLICT ON CONSTRAINT occurrences_pkey DO UPDATE
	SET start_local = excluded.start_local,
	    end_local = excluded.end_local,
	    start_utc = excluded.start_utc,
	    end_utc = excluded.end_utc,
	    listed = excluded.listed`

var insertEvent = storedColumns.Insert("events", 1)

// queueEventRow writes a new event, or the columns of a changed one that differ. It also writes the times of the
// event if they changed.
func queueEventRow(t *content.Tx, was, e *calendar.Event) {
	if was.ID == 0 {
		t.Queue(insertEvent, append([]any{t.Site}, newRow(t, e)...)...)
	} else {
		after := &row{Event: e, indexed: t.TextsIndexed}
		if sql, parameters := storedColumns.Update("events", t.Site, &row{Event: was}, after); sql != "" {
			t.Queue(sql, parameters...)
		}
	}
	if !e.Recurring() && (was.ID == 0 || !happensAlike(was, e)) {
		t.Queue(upsertOccurrence, t.Site, e.ID, e.Start, e.End, e.StartUTC, e.EndUTC, listed(e))
	}
}

const (
	indexTexts = `
		UPDATE events
		SET texts_indexed = true
		WHERE site_id = $1
		  AND NOT texts_indexed`
	textsIndexed = `
		UPDATE sites
		SET texts_indexed = true
		WHERE id = $1`
)

// newRow returns the values of a new event's row. If the site now has more posts than searches read one by one,
// newRow also queues the indexing of all its events' texts.
func newRow(t *content.Tx, e *calendar.Event) []any {
	if t.Last.Post > pg.MostScanned && !t.TextsIndexed {
		t.Queue(indexTexts, t.Site)
		t.Queue(textsIndexed, t.Site)
		t.TextsIndexed = true
	}
	return storedColumns.Row(&row{Event: e, indexed: t.TextsIndexed})
}

// happensAlike reports whether the event's rows in occurrences stay the same.
func happensAlike(was, e *calendar.Event) bool {
	return was.Recurring() == e.Recurring() && was.Start.Equal(e.Start) && was.End.Equal(e.End) &&
		was.StartUTC.Equal(e.StartUTC) && was.EndUTC.Equal(e.EndUTC) &&
		listed(was) == listed(e)
}

// Searched returns the text of an event that searches look through: title, description and excerpt without HTML
// tags, folded, one per line, followed by the translations.
func Searched(e *calendar.Event) string {
	return content.WithTexts(content.SearchLines(e.Title, wording.PlainText(e.Description), wording.PlainText(e.Excerpt)), e.Texts)
}
