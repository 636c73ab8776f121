package rest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/kit"
)

// open is a transaction on the site demo that a test holds open, as a node does that is slow or dies. On a cluster, the test is skipped:
// there the coordinator refuses such locks, and each server knows only for itself who waits for whom.
func open(k *kit.Kit, statements ...string) pgx.Tx {
	k.T.Helper()
	if storagetest.OnCluster() {
		k.T.Skip("locks are those of one server")
	}
	conn, err := pgx.Connect(k.T.Context(), k.URL)
	k.Must(err)
	k.T.Cleanup(func() { _ = conn.Close(context.Background()) })
	tx, err := conn.Begin(k.T.Context())
	k.Must(err)
	_, err = tx.Exec(k.T.Context(), "SELECT set_config('kalends.site', $1::bigint::text, true)", k.Sites["demo"].ID)
	k.Must(err)
	for _, sql := range statements {
		_, err = tx.Exec(k.T.Context(), sql)
		k.Must(err)
	}
	return tx
}

// blocked waits until a connection waits for the end of a transaction. It reports false if done has a result before.
func blocked(k *kit.Kit, by pgx.Tx, done chan bool) bool {
	k.T.Helper()
	waits := false
	storagetest.Until(k.T, "something waits for a lock", func() bool {
		k.Must(k.Owner().QueryRow(k.T.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid)))`,
			by.Conn().PgConn().PID()).Scan(&waits))
		return waits || len(done) > 0
	})
	return waits
}

// club is a file with one event.
var club = kit.Sent{Name: "club.ics", File: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1@club\r\nSUMMARY:Choir\r\n" +
	"DTSTART:20300101T190000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"}

// work works on imports until one was run.
func work(k *kit.Kit) chan bool {
	done := make(chan bool, 1)
	go func() {
		worked, err := k.Imports.Work(k.T.Context())
		k.Must(err)
		done <- worked
	}()
	return done
}

// imported reports an import that is not done.
func imported(k *kit.Kit, role string, id int64) {
	k.T.Helper()
	if r := k.ReportOf(role, id); r.Body["state"] != "done" {
		k.T.Errorf("%s", r.Body["state"])
	}
}

// An import is run although somebody is always writing to its site: who only adds a row to it is no hindrance, and for others it waits its turn.
func TestImportOfSiteThatIsWrittenTo(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.StartImport(club).Want(t, 202, "").ID()
	adding := open(k, `SELECT FROM sites FOR KEY SHARE`)
	if !<-work(k) {
		t.Error("an import waits because somebody adds a row to the site")
	}
	k.Must(adding.Rollback(t.Context()))
	imported(k, "", id)
	id = k.StartImport(kit.Sent{Name: "club.ics", File: club.File, As: "administrator"}).Want(t, 202, "").ID()
	writing := open(k, `SELECT FROM sites FOR NO KEY UPDATE`)
	done := work(k)
	if !blocked(k, writing, done) {
		t.Error("an import does not wait its turn")
	}
	k.Must(writing.Rollback(t.Context()))
	<-done
	k.RunImports()
	imported(k, "administrator", id)
}

// An import that arrives while a node finds none is not forgotten.
func TestImportThatArrivesWhileNoneIsFound(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	id := k.StartImport(club).Want(t, 202, "").ID()
	// Its file is still on the way, and the site is due, as after an import that was cancelled.
	k.Change("demo", `UPDATE imports SET received = false WHERE site_id = $1`, k.Sites["demo"].ID)
	reading := open(k, `LOCK TABLE plans IN ACCESS EXCLUSIVE MODE`) // a node that has taken the site reads it, with its plan
	done := work(k)
	if !blocked(k, reading, done) {
		t.Fatal("no node takes the site")
	}
	arriving := open(k, `UPDATE sites SET imports_due = COALESCE(imports_due, now())`, `UPDATE imports SET received = true`)
	k.Must(reading.Rollback(t.Context()))
	if !blocked(k, arriving, done) {
		t.Error("a node looks for imports without the lock")
	}
	k.Must(arriving.Commit(t.Context()))
	<-done
	k.RunImports()
	imported(k, "", id)
}

// faulty is a node to which something happens at the database.
type faulty struct {
	webhooks.Rounds
	listed func()                        // called once, after the webhooks were listed
	steps  func(*webhooks.Webhook) error // fails what a webhook follows
}

func (f *faulty) Active(ctx context.Context) ([]*webhooks.Webhook, error) {
	list, err := f.Rounds.Active(ctx)
	if f.listed != nil {
		f.listed()
		f.listed = nil
	}
	return list, err
}

func (f *faulty) Steps(ctx context.Context, w *webhooks.Webhook, kinds []string, in *changes.Selection, most int,
) (list []webhooks.Step, to webhooks.Mark, more bool, err error) {
	if f.steps != nil {
		err = f.steps(w)
	}
	if err == nil {
		return f.Rounds.Steps(ctx, w, kinds, in, most)
	}
	return nil, to, false, err
}

// sender is a node that sends messages, to which something happens.
func sender(k *kit.Kit, f *faulty) *webhooks.Sender {
	o := k.Sender.SenderOptions
	f.Rounds, o.Rounds = o.Rounds, f
	return webhooks.NewSender(o)
}

// A webhook that is made while a node follows the history for the others is looked after as they are, even if its own node dies at once.
func TestWebhookMadeWhileOthersFollow(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	first, second := k.Receive(), k.Receive()
	k.Webhook(first.URL, nil)
	k.Event(nil)
	node := sender(k, &faulty{listed: func() {
		k.Webhook(second.URL, nil)
		k.Event(nil)
	}})
	node.Round(t.Context())
	first.Await(2)
	k.Change("demo", `UPDATE webhook_rounds SET due_at = 'infinity' WHERE site_id = $1`, k.Sites["demo"].ID)
	due, err := node.Rounds.Due(t.Context(), time.Now(), 10)
	if k.Must(err); len(due) != 1 {
		t.Fatal("no node looks after the new webhook")
	}
	k.Sender.Round(t.Context())
	second.Await(1)
}

// A webhook that cannot follow the history keeps nothing from the others.
func TestWebhookThatCannotFollow(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	first, second := k.Receive(), k.Receive()
	id, _ := k.Webhook(first.URL, nil)
	k.Webhook(second.URL, nil)
	k.Event(nil)
	sender(k, &faulty{steps: func(w *webhooks.Webhook) error {
		if w.ID == id {
			return calendar.ErrUnavailable
		}
		return nil
	}}).Round(t.Context())
	second.Await(1)
	if len(first.Got()) > 0 {
		t.Error("the first followed")
	}
}

// Whatever locks the webhooks of a site does so in one order: first the row of all, then that of one. Otherwise two nodes would wait for each
// other, and what the loser has sent would be sent again.
func TestWebhooksAreLockedInOneOrder(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	r := k.Receive()
	id, _ := k.Webhook(r.URL, nil)
	k.StartImport(club).Want(t, 202, "")
	other, _ := k.Webhook(r.URL, nil)
	for _, c := range []struct {
		about string
		do    func()
	}{
		{"following", func() {
			k.Event(nil)
			k.Sender.Round(context.Background())
			seen(k)
		}},
		{"changing", func() {
			k.Patch(path("webhooks", id), "administrator", map[string]any{"language": "de"}).Want(t, 200, "")
		}},
		{"testing", func() { k.Post(path("webhooks", id)+"/test", "administrator", nil).Want(t, 202, "") }},
		{"importing", k.RunImports},
		{"deleting", func() { k.Del(path("webhooks", other), "administrator").Want(t, 200, "") }},
		{"switching off", func() { k.Must(k.Sender.Rounds.SwitchOff(inside(k), id, webhooks.Gone, time.Now())) }},
	} {
		all := open(k, `SELECT FROM webhook_rounds FOR UPDATE`)
		done := make(chan bool, 1)
		go func() {
			defer func() { done <- true }()
			c.do()
		}()
		if !blocked(k, all, done) {
			t.Errorf("%s: locks nothing", c.about)
		}
		if _, err := all.Exec(t.Context(), `SELECT FROM webhooks FOR UPDATE NOWAIT`); err != nil {
			t.Errorf("%s: %v", c.about, err)
		}
		k.Must(all.Rollback(t.Context()))
		<-done
	}
}

// inside returns a context of the site demo for what nodes do by themselves.
func inside(k *kit.Kit) context.Context {
	k.T.Helper()
	ctx, err := tenancy.Enter(tenancy.AsProvider(k.T.Context(), tenancy.Provider{Scheduled: true}), k.Sites["demo"])
	k.Must(err)
	return ctx
}
