package rest

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Tables have a column for each extra field of events and of venues that the reader sees, and imports read both.
func TestTablesHaveFields(t *testing.T) {
	t.Parallel()
	k := fielded(t)
	values := kit.Object{"buehne": "open_air", "dogs": false, "entrance": "Door, B", "minimum_age": 1.5, "playlist": "https://music.example/x",
		"presale": "2027-03-01", "notes": "Call Ann"}
	venue := k.Made("/venues", kit.Object{"venue": "Hall", "fields": values})
	event := k.Event(kit.Object{"title": "Concert", "venue": venue, "fields": values, "start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"})
	table := string(k.Get("/events.csv?starts_after=2029-12-31", "").Want(t, 200, "").Raw)
	header, row, _ := strings.Cut(table, "\n")
	for key := range values {
		for _, column := range []string{"fields." + key, "venue.fields." + key} {
			if strings.Contains(","+strings.TrimSpace(header)+",", ","+column+",") != (key != "notes") {
				t.Errorf("visitors: %s in %s", column, header)
			}
		}
	}
	if strings.Contains(row, "Call Ann") || strings.Count(row, `"Door, B"`) != 2 {
		t.Errorf("visitors read %s", row)
	}
	book := k.Get("/events.xlsx?starts_after=2029-12-31", "").Want(t, 200, "").Raw
	archive, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := archive.Open("xl/worksheets/sheet1.xml")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(sheet); err != nil || !bytes.Contains(text, []byte("venue.fields.entrance")) {
		t.Errorf("the workbook lacks the fields of venues: %v", err)
	}
	whole := string(k.Get("/events.csv?starts_after=2029-12-31", "administrator").Want(t, 200, "").Raw)
	k.Del(kit.Item("events", event)+"?force=true", "administrator").Want(t, 200, "")
	k.Del(kit.Item("venues", venue)+"?force=true", "administrator").Want(t, 200, "")
	k.Import(kit.Sent{Name: "events.csv", File: whole})
	list := k.Get("/events?starts_after=2029-12-31", "administrator").Has(t, "total", 1)
	for _, of := range []string{"events.0.fields.", "events.0.venue.fields."} {
		for key, want := range values {
			list.Has(t, of+key, want)
		}
	}
	unknown := strings.Replace(whole, "venue.fields.dogs", "venue.fields.cats", 1)
	k.Import(kit.Sent{Name: "others.csv", File: unknown})
	k.Get("/events?starts_after=2029-12-31", "administrator").Has(t, "total", 1)
}

// What followers and webhooks are told of an event is the event as GET answers it, with its extra fields.
func TestFollowersReadFields(t *testing.T) {
	t.Parallel()
	k := fielded(t)
	r := k.Receive()
	k.Webhook(r.URL, map[string]any{"payload": "full"})
	venue := k.Made("/venues", kit.Object{"venue": "Hall", "fields": kit.Object{"entrance": "Door A"}})
	event := k.Event(kit.Object{"title": "Concert", "venue": venue, "fields": kit.Object{"buehne": "open_air", "notes": "Call Ann"}})
	k.Deliver()
	for _, m := range r.Await(2) {
		var got struct{ Fields map[string]any }
		k.Must(json.Unmarshal(m.Data.Object, &got))
		if of := got.Fields; m.Data.ID == event && of["buehne"] != "open_air" || m.Data.ID == venue && of["entrance"] != "Door A" {
			t.Errorf("the message of %d has %v", m.Data.ID, of)
		}
	}
	told := k.Get("/changes?types=event&include=object", "").Want(t, 200, "")
	told.Has(t, "changes.0.object.fields.buehne", "open_air", "changes.0.object.fields.notes", "-", "changes.0.object.venue.fields.entrance", "Door A")
	since, _ := told.At("next").(string)
	k.Patch(kit.Item("events", event), "administrator", kit.Object{"fields": kit.Object{"buehne": "grosser_saal"}}).Want(t, 200, "")
	k.Get("/changes?types=event&include=object&since="+since, "").Has(t, "changes.0.action", "updated", "changes.0.object.fields.buehne", "grosser_saal")
}
