package kit

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"maps"
	"mime/multipart"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
)

// Sample is one item of each resource to aim at.
type Sample struct {
	IDs   map[string]int64
	Slugs map[string]string
}

// Sample makes the items as the administrator of the site demo.
func (k *Kit) Sample() *Sample {
	k.T.Helper()
	s := &Sample{IDs: map[string]int64{}, Slugs: map[string]string{}}
	add := func(resource, path string, body map[string]any) {
		a := k.Post(path, "administrator", body)
		if a.Status != http.StatusCreated {
			k.T.Fatalf("create %s: %s", resource, a)
		}
		s.IDs[resource] = a.ID()
		s.Slugs[resource], _ = a.Body["slug"].(string)
	}
	for _, one := range []struct{ resource, path string }{{"venue", "/venues"}, {"organizer", "/organizers"},
		{"category", "/categories"}, {"tag", "/tags"}, {"event", "/events"}} {
		add(one.resource, one.path, Valid(one.resource))
	}
	s.IDs["submission"], s.IDs["webhook"] = s.IDs["event"], 999999
	s.IDs["source"] = 999999
	s.Slugs["field"] = "valid"
	if a := k.Post("/fields", "administrator", Valid("field")); a.Status != http.StatusCreated {
		k.T.Fatalf("create field: %s", a)
	}
	return s
}

// Valid are the required arguments of a resource's create.
func Valid(resource string) map[string]any {
	switch resource {
	case "event":
		return map[string]any{"title": "Valid", "start_date": "2030-01-01 10:00:00", "end_date": "2030-01-01 11:00:00"}
	case "category", "tag":
		return map[string]any{"name": "Valid"}
	case "submission":
		return map[string]any{"title": "Valid", "start_date": "2030-01-01 10:00:00", "contact_name": "Ada", "contact_email": "ada@example.net",
			"token": "VALIDVALID"}
	}
	if resource == "source" {
		return map[string]any{"name": "Valid", "kind": "ics", "url": "https://example.org/a.ics"}
	}
	if resource == "field" {
		return map[string]any{"label": "Valid", "kind": "text"}
	}
	if resource == "webhook" {
		return map[string]any{"url": "https://example.org/hook", "events": []string{"*"}}
	}
	return map[string]any{resource: "Valid"}
}

// Path fills the path of a route; items to remove aren't there.
func (s *Sample) Path(r *api.Route) string {
	id, slug := s.IDs[r.Resource], s.Slugs[r.Resource]
	if r.Methods[0] == http.MethodDelete {
		id, slug = 999999, "not-there"
	}
	return strings.NewReplacer("{id}", strconv.FormatInt(id, 10), "{slug}", slug, "{key}", slug, "{delivery}", "999999").Replace(r.Path)
}

// State is what a refused write must leave alone.
func (k *Kit) State() string {
	k.T.Helper()
	const counts = `SELECT concat_ws(' ', version, last_post_id, last_term_id,
		(SELECT count(*) FROM events), (SELECT count(*) FROM venues), (SELECT count(*) FROM organizers),
		(SELECT count(*) FROM terms), (SELECT count(*) FROM images), (SELECT count(*) FROM changes))
		FROM sites WHERE slug = 'demo'`
	return k.Peek("demo", counts)
}

// IsError checks the envelope of an error (rule 4.1).
func (k *Kit) IsError(about string, got Answer) {
	k.T.Helper()
	if got.Status < http.StatusBadRequest {
		return
	}
	data, _ := got.Body["data"].(map[string]any)
	status, _ := data["status"].(float64)
	message, _ := got.Body["message"].(string)
	if int(status) != got.Status || got.Code() == "" || message == "" || strings.HasPrefix(message, "error.") {
		k.T.Errorf("%s: no error of the interface: %s", about, got)
	}
	for name, text := range got.Params() {
		if text == "" || strings.HasPrefix(fmt.Sprint(text), "problem.") {
			k.T.Errorf("%s: %s has no text: %v", about, name, text)
		}
	}
}

// JSONType is the media type of bodies in JSON.
const JSONType = "application/json"

// Listen serves the kit on a real address.
func (k *Kit) Listen() string {
	k.T.Helper()
	bound, err := net.Listen("tcp", "127.0.0.1:0")
	k.Must(err)
	listener := server.Lingering(bound, slog.New(slog.DiscardHandler), nil)
	done := make(chan error, 1)
	go func() { done <- k.App.Listener(listener) }()
	k.T.Cleanup(func() {
		_ = k.App.ShutdownWithTimeout(5 * time.Second)
		_ = listener.Close() // which a server that has not begun to serve yet leaves open
		<-done               //nolint:errcheck // when the listener is closed
	})
	return listener.Addr().String()
}

// Raw sends bytes and returns the status of the answer, 0 for none.
func Raw(t testing.TB, addr string, bytes ...string) int {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Minute))
	for _, part := range bytes {
		if _, err := io.WriteString(conn, part); err != nil {
			break
		}
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

// Links returns the ids an event is linked to; those of new items are "new".
func (a Answer) Links(kind string) string {
	list, isList := a.Body[kind].([]any)
	if !isList {
		list = []any{a.Body[kind]}
	}
	ids := make([]string, 0, len(list))
	for _, entry := range list {
		linked, _ := entry.(map[string]any)
		name, _ := linked[kind].(string)
		if strings.HasPrefix(name, "New") {
			ids = append(ids, "new")
			continue
		}
		ids = append(ids, fmt.Sprint(linked["id"]))
	}
	return strings.Join(ids, ",")
}

// Key makes an API key of a user of demo and returns it as an Authorization.
func (k *Kit) Key(user int64, readOnly bool) (authorization string, id int64) {
	k.T.Helper()
	ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.Sites["demo"])
	k.Must(err)
	made, secret, err := k.Platform.Keys.Create(ctx, user, &accounts.KeyFields{Name: args.Some("test"),
		Kind: args.Some(string(tenancy.APIKey)), ReadOnly: args.Some(readOnly)})
	k.Must(err)
	return "Bearer " + secret, made.ID
}

// LimitedKey makes an API key of a user of demo with limits, and returns it as an Authorization.
func (k *Kit) LimitedKey(user int64, f accounts.KeyFields) (authorization string, id int64) {
	k.T.Helper()
	ctx, err := tenancy.Enter(tenancy.AsProvider(context.Background(), tenancy.Provider{Name: "test"}), k.Sites["demo"])
	k.Must(err)
	f.Name, f.Kind = args.Some("limited"), args.Some(string(tenancy.APIKey))
	made, secret, err := k.Platform.Keys.Create(ctx, user, &f)
	k.Must(err)
	return "Bearer " + secret, made.ID
}

// BehindProxy has a kit trust the connections of its tests as a proxy's, and some
// addresses more.
func BehindProxy(more ...string) func(*server.Config) {
	return func(c *server.Config) { c.Proxies = append([]string{"0.0.0.0"}, more...) }
}

// Remove takes an item away for good.
func (k *Kit) Remove(path string) {
	k.T.Helper()
	k.Del(path+"?force=true", "administrator").Want(k.T, 200, "")
}

// Configure changes the settings of the site demo.
func (k *Kit) Configure(f *platform.ConfigFields) {
	k.T.Helper()
	ctx, err := tenancy.Enter(tenancy.AsProvider(k.T.Context(), tenancy.Provider{}), k.Sites["demo"])
	k.Must(err)
	_, err = k.Platform.Sites.Configure(ctx, f, "")
	k.Must(err)
}

// Named returns the list's events by their names.
func (a Answer) Named(names map[string]string) string {
	var list []string
	for id := range strings.SplitSeq(a.IDs("events"), ",") {
		if id != "" {
			list = append(list, names[id])
		}
	}
	return strings.Join(list, " ")
}

// Picture returns a PNG.
func Picture(width, height int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		img.Set(x, height/2, color.RGBA{R: uint8(x), A: 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Upload posts a file to a site.
func (k *Kit) Upload(site, as, name string, data []byte) Answer {
	k.T.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part, err := form.CreateFormFile("file", name)
	k.Must(err)
	_, err = part.Write(data)
	k.Must(err)
	k.Must(form.Close())
	if site == "demo" {
		site = ""
	}
	return k.Send(Request{Method: "POST", Path: "/media", Site: site, As: as, Body: b.String(),
		Headers: map[string]string{"Content-Type": form.FormDataContentType()}})
}

// Text returns a value of an object in the answer.
func (a Answer) Text(path ...string) string {
	var v any = a.Body
	for _, key := range path {
		object, _ := v.(map[string]any)
		v = object[key]
	}
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// Weekly is a choir that meets every second Thursday but on New Year's Eve.
func Weekly(k *Kit, more Object) int64 {
	k.T.Helper()
	fields := Object{
		"title": "Choir", "start_date": "2029-12-06 19:30:00", "end_date": "2029-12-06 21:30:00", "timezone": "Europe/Berlin",
		"recurrence": Object{"rrule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", "exdate": []string{"2030-01-03"}},
	}
	maps.Copy(fields, more)
	return k.Made("/events", fields)
}

// Happens lists the occurrences of a series from December 2029 on.
func Happens(k *Kit, series int64, as string) []Object {
	k.T.Helper()
	a := k.Get(fmt.Sprintf("/events/%d/occurrences?start_date=2029-12-01&end_date=2030-12-01&per_page=50", series), as).Want(k.T, 200, "")
	var list []Object
	for _, one := range a.Body["events"].([]any) {
		list = append(list, one.(map[string]any))
	}
	return list
}

// EachOf returns one field of each object, as text.
func EachOf(list []Object, key string) []string {
	texts := make([]string, 0, len(list))
	for _, one := range list {
		texts = append(texts, fmt.Sprint(one[key]))
	}
	return texts
}

// WallForm is how answers write local times.
const WallForm = "2006-01-02 15:04:05"

const (
	// WrongDays counts the days of a site that are counted wrongly.
	WrongDays = `
		SELECT count(*)::text
		FROM (SELECT * FROM occurrence_days WHERE site_id = $1) d
		FULL JOIN (
			SELECT start_local::date AS start_day, end_local::date AS end_day, count(*) AS n
			FROM occurrences
			WHERE site_id = $1 AND listed
			GROUP BY 1, 2
		) o ON o.start_day = d.start_day AND o.end_day = d.end_day
		WHERE COALESCE(d.occurrences, 0) <> COALESCE(o.n, 0)`
	// WrongTerms counts the terms of a site whose events are counted wrongly.
	WrongTerms = `
		SELECT count(*)::text
		FROM terms c
		WHERE c.site_id = $1
		  AND c.count <> (
			SELECT count(DISTINCT COALESCE(e.series_id, e.id))
			FROM event_terms x
			JOIN events e ON e.site_id = x.site_id AND e.id = x.event_id
			WHERE x.site_id = $1
			  AND x.term_id = c.id
			  AND e.status = 'publish'
			  AND e.password IS NULL)`
	// WrongInstants counts the dates of a site whose instant isn't that of their wall clock.
	WrongInstants = `
		SELECT count(*)::text
		FROM occurrences o
		JOIN events e ON e.site_id = o.site_id AND e.id = o.event_id
		WHERE o.site_id = $1
		  AND o.start_utc <> o.start_local AT TIME ZONE e.timezone`
)

// Room is what a route belongs to: it says who may ask.
type Room uint8

// Caller is somebody who asks: by headers, and by the token of their forms.
type Caller struct {
	Rooms   []Room
	Headers [][2]string
	Csrf    string
	host    string
}

// Caller is the browser as somebody who asks.
func (b *Browser) Caller(in Room) Caller {
	c := Caller{Rooms: []Room{in}, Csrf: b.Cookies["csrf"], host: b.Host}
	var cookies []string
	for _, name := range slices.Sorted(maps.Keys(b.Cookies)) {
		if name != "csrf" {
			cookies = append(cookies, name+"="+b.Cookies[name])
		}
	}
	c.Headers = [][2]string{{"Cookie", strings.Join(cookies, "; ")}}
	return c
}
