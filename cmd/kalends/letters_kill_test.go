package main

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/mail/mailtest"
	"github.com/kalends/kalends/storage/storagetest"
)

// readers is how many people get a letter while the nodes that send it are killed.
const readers = 330

// TestLettersSurviveKills kills the node that sends letters, again and again. Another goes on where that one was: nobody is left out, and each kill
// repeats at most the message that was on its way, with the same Message-ID. KILLS= says how often.
func TestLettersSurviveKills(t *testing.T) {
	t.Parallel()
	kills := killsOr(3)
	post := mailtest.New(t)
	url := storagetest.EmptyDatabase(t)
	env := []string{"DATABASE_URL=" + url, "KALENDS_SMTP_URL=" + post.URL, "KALENDS_MAIL_FROM=Calendar <letters@example.org>"}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	node := launchWith(t, dataDir(t), env).started()
	subscribed(t, conn, node)
	node.signal(syscall.SIGKILL)
	_ = node.wait()

	got := map[string]map[string]int{} // address → Message-ID → how often
	total := 0
	node = launchWith(t, dataDir(t), env).started()
	for killed := 0; len(got) < readers; {
		select {
		case l := <-post.Letters():
			if got[l.To] == nil {
				got[l.To] = map[string]int{}
			}
			got[l.To][l.ID]++
			total++
		case <-node.done:
			t.Fatalf("ended: %v\n%s", node.end, node.errs)
		}
		if killed < kills && len(got) >= (killed+1)*readers/(kills+1) {
			node.signal(syscall.SIGKILL)
			_ = node.wait()
			killed++
			// The lease of the dead node ends.
			if _, err := conn.Exec(t.Context(), `UPDATE letter_rounds SET lease_until = now()`); err != nil {
				t.Fatal(err)
			}
			node = launchWith(t, dataDir(t), env).started()
		}
	}
	var waiting int
	storagetest.Until(t, "nothing is due", func() bool {
		if err := conn.QueryRow(t.Context(), `SELECT count(*) FROM letter_subscriptions WHERE next_at <= now()`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
		return waiting == 0
	})
	for more := true; more; {
		select {
		case l := <-post.Letters():
			got[l.To][l.ID]++
			total++
		default:
			more = false
		}
	}
	checkLetters(t, got, kills)
	t.Logf("%d kills, %d people, %d messages", kills, len(got), total)
}

// checkLetters checks that everybody got one letter, and that as many as nodes were killed came twice at most.
func checkLetters(t *testing.T, got map[string]map[string]int, kills int) {
	t.Helper()
	repeated := 0
	for n := range readers {
		to := fmt.Sprintf("reader-%d@example.org", n)
		if len(got[to]) != 1 {
			t.Errorf("%s got %v, want one letter", to, got[to])
		}
		for _, times := range got[to] {
			repeated += times - 1
		}
	}
	if len(got) != readers || repeated > kills {
		t.Errorf("%d people, %d messages came again after %d kills", len(got), repeated, kills)
	}
}

// subscribed has an event take place tomorrow, and people whose letter about it is due.
func subscribed(t *testing.T, conn *pgx.Conn, node *service) {
	t.Helper()
	tomorrow := time.Now().AddDate(0, 0, 1).Format(time.DateOnly)
	node.must(http.StatusCreated, "POST", "/events", node.password(), map[string]any{"title": "Concert", "status": "publish",
		"start_date": tomorrow + " 12:00", "end_date": tomorrow + " 13:00"})
	for statement := range strings.SplitSeq(fmt.Sprintf(`
		SELECT set_config('kalends.site', id::text, false) FROM sites;
		UPDATE sites SET mailing = 'on';
		INSERT INTO letter_subscriptions (site_id, id, email, email_key, language, period, home, created_at, confirmed_at, issue_at, next_at)
		SELECT s.id, n + 1, 'reader-' || n || '@example.org', 'reader-' || n || '@example.org', 'en', 'weekly', 'http://localhost', now(), now(), now(), now()
		FROM sites s, generate_series(0, %d) n;
		INSERT INTO letter_rounds (site_id, due_at) SELECT id, now() FROM sites`, readers-1), ";") {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(statement, err)
		}
	}
}
