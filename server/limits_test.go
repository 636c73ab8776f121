package server_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// provider asks the provider's interface.
func (k *kit) provider(method, path string, body any) answer {
	k.t.Helper()
	return k.send(request{Method: method, Path: "//platform/v1" + path, As: "Bearer " + providerToken, JSON: body})
}

// limit gives the site demo limits of its own.
func (k *kit) limit(limits any) {
	k.t.Helper()
	if a := k.provider("PATCH", "/sites/demo", map[string]any{"limits": limits}); a.Status != http.StatusOK {
		k.t.Fatalf("limit: %s", a)
	}
}

// usage is what the provider sees in use on the site demo.
func (k *kit) usage(what string) int64 {
	k.t.Helper()
	a := k.provider("GET", "/sites/demo", nil)
	usage, _ := a.Body["usage"].(map[string]any)
	n, ok := usage[what].(float64)
	if !ok {
		k.t.Fatalf("no usage of %s: %s", what, a)
	}
	return int64(n)
}

func newEvent(title string) map[string]any {
	return map[string]any{"title": title, "start_date": "2030-03-01 10:00:00", "end_date": "2030-03-01 12:00:00"}
}

func TestEventsBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	first := k.event(nil)
	k.limit(map[string]any{"events": 2})
	k.event(nil)
	a := k.post("/events", "administrator", newEvent("Third")).want(t, 403, "limit_reached")
	data, _ := a.Body["data"].(map[string]any)
	if data["limit"] != "events" || data["max"] != 2.0 || data["used"] != 2.0 || !strings.Contains(string(a.Raw), "2 of 2") {
		t.Errorf("%s", a)
	}
	german := k.send(request{Method: "POST", Path: "//de/calendar/events/v1/events", As: "administrator", JSON: newEvent("Dritte")})
	if text, _ := german.Body["message"].(string); !strings.Contains(text, "2 von 2") {
		t.Errorf("%s", german)
	}
	k.post(fmt.Sprintf("/events/%d", first), "administrator", map[string]any{"title": "Changed"}).want(t, 200, "")
	if n := k.usage("events"); n != 2 {
		t.Errorf("%d events in use", n)
	}
	k.del(fmt.Sprintf("/events/%d", first), "administrator").want(t, 200, "") // to the trash, which counts
	k.post("/events", "administrator", newEvent("Third")).want(t, 403, "limit_reached")
	k.limit(nil)
	k.post("/events", "administrator", newEvent("Third")).want(t, 201, "")
	k.limit(map[string]any{"events": 1}) // less than there is: what is there can be changed
	k.post(fmt.Sprintf("/events/%d", first+1), "administrator", map[string]any{"title": "Changed"}).want(t, 200, "")
	k.post("/events", "administrator", newEvent("Fourth")).want(t, 403, "limit_reached")
}

// stored reports how many occurrences of series the site demo has, as they are there.
func (k *kit) stored() int64 {
	k.t.Helper()
	n, err := strconv.ParseInt(k.peek("demo", `
		SELECT ((SELECT count(*) FROM occurrences o WHERE o.site_id = $1 AND o.n <> 0)
		    + (SELECT count(*) FROM events e WHERE e.site_id = $1 AND e.series_id IS NOT NULL))::text`, k.sites["demo"].ID), 10, 64)
	k.must(err)
	return n
}

// Dates of series count as they are stored, whatever becomes of them, and give the
// room back.
func TestOccurrencesBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.event(nil)
	series := func(count int) map[string]any {
		e := newEvent("Choir")
		e["recurrence"] = map[string]any{"every": "day", "count": count}
		return e
	}
	uses := func(want int64) {
		t.Helper()
		if n := k.usage("occurrences"); n != want || k.stored() != want {
			t.Errorf("%d occurrences in use, %d stored, want %d", n, k.stored(), want)
		}
	}
	uses(0)
	k.limit(map[string]any{"occurrences": 10})
	id := k.made("/events", series(6))
	uses(6)
	a := k.post("/events", "administrator", series(5)).want(t, 403, "limit_reached")
	data, _ := a.Body["data"].(map[string]any)
	if data["limit"] != "occurrences" || data["max"] != 10.0 || data["used"] != 6.0 || !strings.Contains(string(a.Raw), "6 of 10") {
		t.Errorf("%s", a)
	}
	single := k.event(nil)
	k.patch(item("events", single), "administrator", map[string]any{"recurrence": map[string]any{"every": "day", "count": 5}}).want(t, 403, "limit_reached")
	uses(6)
	k.patch(item("events", id), "administrator", map[string]any{"recurrence": map[string]any{"every": "day", "count": 10}}).want(t, 200, "")
	uses(10)
	dates := eachOf(happens(k, id, ""), "id")
	k.patch("/events/"+dates[3], "administrator", map[string]any{"title": "Concert"}).want(t, 200, "")
	uses(10)
	k.patch(item("events", id), "administrator", map[string]any{"title": "Chorus"}).want(t, 200, "") // no more than there is
	k.del("/events/"+dates[4], "administrator").want(t, 200, "")
	uses(9)
	k.patch("/events/"+dates[6], "administrator", map[string]any{"title": "Guests", "applies_to": "following"}).want(t, 200, "")
	uses(9)
	k.limit(map[string]any{"occurrences": 3}) // less than there is: what is there can be changed, and may shrink
	k.patch(item("events", id), "administrator", map[string]any{"title": "Choir", "exceptions": "reset"}).want(t, 200, "")
	uses(9)
	k.patch(item("events", id), "administrator", map[string]any{"recurrence": map[string]any{"every": "day", "count": 2}}).want(t, 200, "")
	uses(6)
	k.del(item("events", id), "administrator").want(t, 200, "") // to the trash, which counts
	uses(6)
	k.del(item("events", id)+"?force=true", "administrator").want(t, 200, "")
	uses(4)
	k.limit(nil)
	k.post("/events", "administrator", series(50)).want(t, 201, "")
	uses(54)
}

// What a series stores as time goes on ends where the plan does, which its form and its
// rule say, and goes on when there is room.
func TestExtensionEndsAtTheLimit(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.clock = time.Date(2029, 11, 1, 0, 0, 0, 0, time.UTC)
	e := newEvent("Choir")
	e["recurrence"] = map[string]any{"every": "week"}
	id := k.made("/events", e)
	other := newEvent("Swim")
	other["recurrence"] = map[string]any{"every": "day", "count": 30}
	finite := k.made("/events", other)
	had := k.usage("occurrences")
	k.limit(map[string]any{"occurrences": had + 5})
	k.clock = k.clock.AddDate(1, 0, 0)
	extend := func() {
		t.Helper()
		_, err := k.db.PublishDue(t.Context(), k.clock)
		k.must(err)
	}
	extend()
	until := func() string {
		rule, _ := k.get(item("events", id), "").want(t, 200, "").Body["recurrence"].(map[string]any)
		return fmt.Sprint(rule["stored_until"])
	}
	form := func() string { return k.person("administrator").get(fmt.Sprintf("/admin/events/%d", id)).Body }
	full := until()
	if n := k.usage("occurrences"); n != had+5 || k.stored() != n {
		t.Errorf("%d occurrences in use, %d stored, want %d", n, k.stored(), had+5)
	}
	if page := form(); !strings.Contains(page, `id="repeat-stored"`) || !strings.Contains(page, "no room for later ones") {
		t.Errorf("the form says nothing of it")
	}
	k.clock = k.clock.AddDate(0, 0, 1)
	if extend(); until() != full || k.usage("occurrences") != had+5 {
		t.Errorf("a day later stored until %s, before %s", until(), full)
	}
	k.del(item("events", finite)+"?force=true", "administrator").want(t, 200, "")
	if strings.Contains(form(), `id="repeat-stored"`) {
		t.Errorf("the form speaks of a limit where there is room")
	}
	k.clock = k.clock.AddDate(0, 0, 1)
	if extend(); until() <= full || k.stored() != k.usage("occurrences") {
		t.Errorf("with room stored until %s, before %s", until(), full)
	}
}

func TestUsersBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	have := int64(len(tenancy.Roles()))
	if n := k.usage("users"); n != have {
		t.Fatalf("%d users in use, want %d", n, have)
	}
	k.limit(map[string]any{"users": have})
	user := map[string]any{"login": "one-more", "email": "one@example.org", "role": "editor"}
	k.provider("POST", "/sites/demo/users", user).want(t, 403, "limit_reached")
	k.limit(map[string]any{"users": have + 1})
	k.provider("POST", "/sites/demo/users", user).want(t, 201, "")
	if n := k.usage("users"); n != have+1 {
		t.Errorf("%d users in use", n)
	}
}

// Pictures count with their sizes, and give the room back. One there is no room
// for leaves nothing behind.
func TestPicturesBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	made := k.picture().want(t, 201, "")
	bytes := k.usage("media_bytes")
	if bytes <= 0 || fmt.Sprint(bytes) != k.peek("demo", `SELECT sum(bytes + (SELECT sum((z ->> 'bytes')::bigint)
		FROM jsonb_array_elements(sizes) z))::text FROM images`) {
		t.Fatalf("%d bytes in use", bytes)
	}
	k.limit(map[string]any{"media_bytes": bytes + 1})
	if a := k.picture().want(t, 403, "limit_reached"); !strings.Contains(string(a.Raw), "media_bytes") {
		t.Errorf("%s", a)
	}
	k.del(fmt.Sprintf("/media/%d", made.id()), "administrator").want(t, 200, "")
	if n := k.usage("media_bytes"); n != 0 {
		t.Errorf("%d bytes in use", n)
	}
	k.picture().want(t, 201, "")
}

// picture uploads one, with sizes.
func (k *kit) picture() answer {
	k.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", "picture.png")
	k.must(err)
	k.must(png.Encode(file, image.NewRGBA(image.Rect(0, 0, 400, 300))))
	k.must(form.Close())
	return k.send(request{Method: "POST", Path: "/media", As: "administrator", Body: body.String(),
		Headers: map[string]string{"Content-Type": form.FormDataContentType()}})
}

// However many write at once, the last place is taken once.
func TestTheLastPlaceIsTakenOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.limit(map[string]any{"events": 3})
	var done sync.WaitGroup
	statuses := make([]int, 12)
	for i := range statuses {
		done.Go(func() { statuses[i] = k.post("/events", "administrator", newEvent(fmt.Sprint("E", i))).Status })
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
	if rows := k.peek("demo", "SELECT count(*)::text FROM events"); made != 3 || rows != "3" {
		t.Errorf("%d made, %s rows", made, rows)
	}
}

// An import that hits the limit says so; what it counts as made is there, and
// nothing of the batch that was too much. A rehearsal says it beforehand.
func TestImportBeyondTheLimit(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.limit(map[string]any{"events": 300})
	var file strings.Builder
	file.WriteString("Event Name,Event Start Date\n")
	for i := range 400 {
		fmt.Fprintf(&file, "Event %d,2030-01-01\n", i)
	}
	for _, rehearsal := range []bool{true, false} {
		source, err := calendar.NewCSV(strings.NewReader(file.String()))
		k.must(err)
		site, err := k.platform.Sites.Get(tenancy.AsProvider(t.Context(), tenancy.Provider{}), "demo")
		k.must(err)
		ctx, err := tenancy.Enter(tenancy.AsProvider(t.Context(), tenancy.Provider{}), site)
		k.must(err)
		report, err := k.calendar.Events().Import(ctx, source, calendar.ImportOptions{DryRun: rehearsal})
		var limit *tenancy.LimitError
		if !errors.As(err, &limit) || limit.What != "events" || limit.Max != 300 {
			t.Fatalf("rehearsal %t: %v", rehearsal, err)
		}
		want := "0"
		if !rehearsal {
			want = fmt.Sprint(report.Created)
			if report.Created != 250 {
				t.Errorf("%d made", report.Created)
			}
		}
		if rows := k.peek("demo", "SELECT count(*)::text FROM events"); rows != want || fmt.Sprint(k.usage("events")) != want {
			t.Errorf("rehearsal %t: %s rows, %d in use, want %s", rehearsal, rows, k.usage("events"), want)
		}
	}
}
