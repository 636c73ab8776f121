package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/storagetest"
)

// killing is a test that kills nodes in the middle of imports.
type killing struct {
	*testing.T
	env      []string
	conn     *pgx.Conn
	node     *service
	password string
}

// killsOr returns how often a test kills nodes: KILLS=, or as often as usual.
func killsOr(usual int) int {
	if kills, err := strconv.Atoi(os.Getenv("KILLS")); err == nil {
		return kills
	}
	return usual
}

// entriesKilled is how many entries the file has whose import is killed: more than one transaction stores.
const entriesKilled = 1200

// TestImportsSurviveKills kills the node that imports a file, again and again. Another goes on where that one was: no entry is
// lost, none doubled, and the report is complete. KILLS= says how often.
func TestImportsSurviveKills(t *testing.T) {
	t.Parallel()
	deaths := killsOr(4)
	k := &killing{T: t, env: []string{"DATABASE_URL=" + storagetest.EmptyDatabase(t)}}
	var err error
	if k.conn, err = pgx.Connect(t.Context(), strings.TrimPrefix(k.env[0], "DATABASE_URL=")); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = k.conn.Close(t.Context()) }()
	k.node = launchWith(t, dataDir(t), k.env).started()
	k.password = k.node.password()
	if _, err := k.conn.Exec(t.Context(), `SELECT set_config('kalends.site', id::text, false) FROM sites`); err != nil {
		t.Fatal(err)
	}
	hits, rounds := 0, 0
	for ; hits < deaths; rounds++ {
		if rounds == 3*deaths {
			t.Fatalf("only %d of %d imports were hit in the middle", hits, rounds)
		}
		if k.round(rounds) {
			hits++
		}
	}
	t.Logf("%d of %d imports were killed in the middle", hits, rounds)
}

// round imports a file, kills the node once the report has some of it, and checks what another makes of it. It reports whether the
// import was in the middle.
func (k *killing) round(n int) (hit bool) {
	k.Helper()
	name := fmt.Sprintf("Round %d", n)
	file := calendarOf(name, entriesKilled)
	id := k.send(name, file)
	for k.number(`SELECT count(*) FROM import_entries WHERE import_id = $1`, id) == 0 {
		k.alive()
	}
	k.node.signal(syscall.SIGKILL)
	_ = k.node.wait()
	before := k.number(`SELECT count(*) FROM import_entries WHERE import_id = $1`, id)
	hit = before < entriesKilled
	k.node = launchWith(k.T, dataDir(k.T), k.env).started()
	// The lease of the dead node ends.
	if _, err := k.conn.Exec(k.Context(), `UPDATE sites SET imports_due = now() WHERE imports_due IS NOT NULL`); err != nil {
		k.Fatal(err)
	}
	k.done(id)
	k.check(name, id)
	if hit && n%5 == 0 {
		version := k.number(`SELECT version FROM sites`)
		k.done(k.send(name, file))
		if now := k.number(`SELECT version FROM sites`); now != version {
			k.Errorf("%s: read again, it raised the version from %d to %d", name, version, now)
		}
	}
	return hit
}

// check compares the report with the file and the site.
func (k *killing) check(name string, id int64) {
	k.Helper()
	answer := k.node.must(http.StatusOK, "GET", fmt.Sprintf("/imports/%d", id), k.password, nil)
	counts, _ := answer["counts"].(map[string]any)
	if answer["state"] != "done" || counts["read"] != float64(entriesKilled) || counts["created"] != float64(entriesKilled) {
		k.Errorf("%s: %v", name, answer)
	}
	for what, query := range map[string]string{
		"entries":       `SELECT count(*) FROM import_entries WHERE import_id = $1`,
		"numbers":       `SELECT count(DISTINCT number) FROM import_entries WHERE import_id = $1 AND number BETWEEN 1 AND 1200 AND result = 'created'`,
		"their events":  `SELECT count(DISTINCT e.id) FROM import_entries r JOIN events e ON e.id = r.event_id WHERE r.import_id = $1 AND e.title = r.title`,
		"events":        `SELECT count(*) FROM events e WHERE e.title LIKE $2`,
		"titles":        `SELECT count(DISTINCT e.title) FROM events e WHERE e.title LIKE $2`,
		"identities":    `SELECT count(*) FROM import_identities i JOIN events e ON e.id = i.event_id WHERE e.title LIKE $2`,
		"times":         `SELECT count(*) FROM occurrences o JOIN events e ON e.id = o.event_id WHERE e.title LIKE $2`,
		"their history": `SELECT count(*) FROM changes c JOIN events e ON e.id = c.id WHERE c.kind = 'event' AND c.action = 'create' AND e.title LIKE $2`,
	} {
		if got := k.number(`WITH given AS (SELECT $1::bigint, $2::text) `+query, id, name+" %"); got != entriesKilled {
			k.Errorf("%s: %d %s", name, got, what)
		}
	}
}

// send asks for the import of a file and returns its id.
func (k *killing) send(name, file string) int64 {
	k.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name+".ics")
	if err == nil {
		_, err = part.Write([]byte(file))
	}
	if err != nil || form.Close() != nil {
		k.Fatal(err)
	}
	req, err := http.NewRequestWithContext(k.Context(), http.MethodPost, "http://"+k.node.addr+"/calendar/events/v1/imports", &body)
	if err != nil {
		k.Fatal(err)
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.SetBasicAuth("admin", k.password)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		k.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var answer struct{ ID int64 }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || res.StatusCode != http.StatusAccepted {
		k.Fatalf("%d %v", res.StatusCode, err)
	}
	return answer.ID
}

// done waits until an import has ended.
func (k *killing) done(id int64) {
	k.Helper()
	for k.number(`SELECT count(*) FROM imports WHERE id = $1 AND state IN ('queued', 'running')`, id) > 0 {
		k.alive()
	}
}

// alive fails if the node ended.
func (k *killing) alive() {
	k.Helper()
	select {
	case <-k.node.done:
		k.Fatalf("ended: %v\n%s", k.node.end, k.node.errs)
	default:
	}
}

func (k *killing) number(query string, arguments ...any) (n int64) {
	k.Helper()
	if err := k.conn.QueryRow(k.Context(), query, arguments...).Scan(&n); err != nil {
		k.Fatal(query, err)
	}
	return n
}
