package platform

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/kit"
)

func TestEventsBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	first := k.Event(nil)
	k.Limit(map[string]any{"events": 2})
	k.Event(nil)
	a := k.Post("/events", "administrator", kit.NewEvent("Third")).Want(t, 403, "limit_reached")
	data, _ := a.Body["data"].(map[string]any)
	if data["limit"] != "events" || data["max"] != 2.0 || data["used"] != 2.0 || !strings.Contains(string(a.Raw), "2 of 2") {
		t.Errorf("%s", a)
	}
	german := k.Send(kit.Request{Method: "POST", Path: "//de/calendar/events/v1/events", As: "administrator", JSON: kit.NewEvent("Dritte")})
	if text, _ := german.Body["message"].(string); !strings.Contains(text, "2 von 2") {
		t.Errorf("%s", german)
	}
	k.Post(fmt.Sprintf("/events/%d", first), "administrator", map[string]any{"title": "Changed"}).Want(t, 200, "")
	if n := k.Usage("events"); n != 2 {
		t.Errorf("%d events in use", n)
	}
	k.Del(fmt.Sprintf("/events/%d", first), "administrator").Want(t, 200, "") // to the trash, which counts
	k.Post("/events", "administrator", kit.NewEvent("Third")).Want(t, 403, "limit_reached")
	k.Limit(nil)
	k.Post("/events", "administrator", kit.NewEvent("Third")).Want(t, 201, "")
	k.Limit(map[string]any{"events": 1}) // less than there is: what is there can be changed
	k.Post(fmt.Sprintf("/events/%d", first+1), "administrator", map[string]any{"title": "Changed"}).Want(t, 200, "")
	k.Post("/events", "administrator", kit.NewEvent("Fourth")).Want(t, 403, "limit_reached")
}

// Occurrences count when stored, whatever happens to them, and are given back.
func TestOccurrencesBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Event(nil)
	series := func(count int) map[string]any {
		e := kit.NewEvent("Choir")
		e["recurrence"] = map[string]any{"every": "day", "count": count}
		return e
	}
	uses := func(want int64) {
		t.Helper()
		if n := k.Usage("occurrences"); n != want || k.Stored() != want {
			t.Errorf("%d occurrences in use, %d stored, want %d", n, k.Stored(), want)
		}
	}
	uses(0)
	k.Limit(map[string]any{"occurrences": 10})
	id := k.Made("/events", series(6))
	uses(6)
	a := k.Post("/events", "administrator", series(5)).Want(t, 403, "limit_reached")
	data, _ := a.Body["data"].(map[string]any)
	if data["limit"] != "occurrences" || data["max"] != 10.0 || data["used"] != 6.0 || !strings.Contains(string(a.Raw), "6 of 10") {
		t.Errorf("%s", a)
	}
	single := k.Event(nil)
	k.Patch(kit.Item("events", single), "administrator", map[string]any{"recurrence": map[string]any{"every": "day", "count": 5}}).Want(t, 403, "limit_reached")
	uses(6)
	k.Patch(kit.Item("events", id), "administrator", map[string]any{"recurrence": map[string]any{"every": "day", "count": 10}}).Want(t, 200, "")
	uses(10)
	dates := kit.EachOf(kit.Happens(k, id, ""), "id")
	k.Patch("/events/"+dates[3], "administrator", map[string]any{"title": "Concert"}).Want(t, 200, "")
	uses(10)
	k.Patch(kit.Item("events", id), "administrator", map[string]any{"title": "Chorus"}).Want(t, 200, "") // no more than there is
	k.Del("/events/"+dates[4], "administrator").Want(t, 200, "")
	uses(9)
	k.Patch("/events/"+dates[6], "administrator", map[string]any{"title": "Guests", "applies_to": "following"}).Want(t, 200, "")
	uses(9)
	k.Limit(map[string]any{"occurrences": 3}) // less than there is: what is there can be changed, and may shrink
	k.Patch(kit.Item("events", id), "administrator", map[string]any{"title": "Choir", "exceptions": "reset"}).Want(t, 200, "")
	uses(9)
	k.Patch(kit.Item("events", id), "administrator", map[string]any{"recurrence": map[string]any{"every": "day", "count": 2}}).Want(t, 200, "")
	uses(6)
	k.Del(kit.Item("events", id), "administrator").Want(t, 200, "") // to the trash, which counts
	uses(6)
	k.Del(kit.Item("events", id)+"?force=true", "administrator").Want(t, 200, "")
	uses(4)
	k.Limit(nil)
	k.Post("/events", "administrator", series(50)).Want(t, 201, "")
	uses(54)
}

// Storing more occurrences of a series over time stops at the plan's limit, which form and rule mention, and
// continues when there is room.
func TestExtensionEndsAtTheLimit(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Clock = time.Date(2029, 11, 1, 0, 0, 0, 0, time.UTC)
	e := kit.NewEvent("Choir")
	e["recurrence"] = map[string]any{"every": "week"}
	id := k.Made("/events", e)
	other := kit.NewEvent("Swim")
	other["recurrence"] = map[string]any{"every": "day", "count": 30}
	finite := k.Made("/events", other)
	had := k.Usage("occurrences")
	k.Limit(map[string]any{"occurrences": had + 5})
	k.Clock = k.Clock.AddDate(1, 0, 0)
	extend := func() {
		t.Helper()
		_, err := k.DB.PublishDue(t.Context(), k.Clock)
		k.Must(err)
	}
	extend()
	until := func() string {
		rule, _ := k.Get(kit.Item("events", id), "").Want(t, 200, "").Body["recurrence"].(map[string]any)
		return fmt.Sprint(rule["stored_until"])
	}
	form := func() string { return k.Person("administrator").Get(fmt.Sprintf("/admin/events/%d", id)).Body }
	full := until()
	if n := k.Usage("occurrences"); n != had+5 || k.Stored() != n {
		t.Errorf("%d occurrences in use, %d stored, want %d", n, k.Stored(), had+5)
	}
	if page := form(); !strings.Contains(page, `id="repeat-stored"`) || !strings.Contains(page, "does not allow more") {
		t.Errorf("the form says nothing of it")
	}
	k.Clock = k.Clock.AddDate(0, 0, 1)
	if extend(); until() != full || k.Usage("occurrences") != had+5 {
		t.Errorf("a day later stored until %s, before %s", until(), full)
	}
	k.Del(kit.Item("events", finite)+"?force=true", "administrator").Want(t, 200, "")
	if strings.Contains(form(), `id="repeat-stored"`) {
		t.Errorf("the form speaks of a limit where there is room")
	}
	k.Clock = k.Clock.AddDate(0, 0, 1)
	if extend(); until() <= full || k.Stored() != k.Usage("occurrences") {
		t.Errorf("with room stored until %s, before %s", until(), full)
	}
}

func TestUsersBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	have := int64(len(tenancy.Roles()))
	if n := k.Usage("users"); n != have {
		t.Fatalf("%d users in use, want %d", n, have)
	}
	k.Limit(map[string]any{"users": have})
	user := map[string]any{"login": "one-more", "email": "one@example.org", "role": "editor"}
	k.Provider("POST", "/sites/demo/users", user).Want(t, 403, "limit_reached")
	k.Limit(map[string]any{"users": have + 1})
	k.Provider("POST", "/sites/demo/users", user).Want(t, 201, "")
	if n := k.Usage("users"); n != have+1 {
		t.Errorf("%d users in use", n)
	}
}

// Images count with their sizes and are given back. One that exceeds the limit leaves nothing behind.
func TestPicturesBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	made := k.Picture().Want(t, 201, "")
	bytes := k.Usage("media_bytes")
	if bytes <= 0 || fmt.Sprint(bytes) != k.Peek("demo", `SELECT sum(bytes + (SELECT sum((z ->> 'bytes')::bigint)
		FROM jsonb_array_elements(sizes) z))::text FROM images`) {
		t.Fatalf("%d bytes in use", bytes)
	}
	k.Limit(map[string]any{"media_bytes": bytes + 1})
	if a := k.Picture().Want(t, 403, "limit_reached"); !strings.Contains(string(a.Raw), "media_bytes") {
		t.Errorf("%s", a)
	}
	k.Del(fmt.Sprintf("/media/%d", made.ID()), "administrator").Want(t, 200, "")
	if n := k.Usage("media_bytes"); n != 0 {
		t.Errorf("%d bytes in use", n)
	}
	k.Picture().Want(t, 201, "")
}

// With any number of concurrent writes, the last free slot is used once.
func TestTheLastPlaceIsTakenOnce(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	k.Limit(map[string]any{"events": 3})
	var done sync.WaitGroup
	statuses := make([]int, 12)
	for i := range statuses {
		done.Go(func() { statuses[i] = k.Post("/events", "administrator", kit.NewEvent(fmt.Sprint("E", i))).Status })
	}
	done.Wait()
	made := 0
	for _, status := range statuses {
		switch status {
		case 201:
			made++
		case 403:
		default:
			t.Errorf("status %d", status)
		}
	}
	if rows := k.Peek("demo", "SELECT count(*)::text FROM events"); made != 3 || rows != "3" {
		t.Errorf("%d made, %s rows", made, rows)
	}
}
