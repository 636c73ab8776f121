package content

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/calendar"
)

// What lists hide behind a password, and what a page does, are the same: nothing is found that isn't shown, for whoever asks with whatever
// password (rules 3.11 and 5.7).
func TestMaskedIsWhatIsNotOpened(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.exec(`INSERT INTO users (site_id, id, login, login_key, email, email_key, name, role)
		SELECT $1, n, n, n, n, n, n, 'author' FROM generate_series(1, 2) n`)
	sealed := func(password string) []byte {
		if password == "" {
			return nil
		}
		salt := []byte(fmt.Sprintf("%-16s", password)[:16])
		sum := sha256.Sum256(append(append([]byte{}, salt...), password...))
		return append(salt, sum[:]...)
	}
	passwords := []string{"", "secret", "pässwört 東京", strings.Repeat("long", 100)}
	var events []*calendar.Event
	for _, password := range passwords {
		for _, author := range []int64{0, 1} {
			for _, status := range []calendar.Status{calendar.Publish, calendar.Private, calendar.Draft, calendar.Pending, calendar.Trash} {
				e := &calendar.Event{Post: calendar.Post{ID: int64(len(events) + 1), Author: author, Status: status}, Password: sealed(password)}
				events = append(events, e)
				k.exec(`INSERT INTO events (site_id, id, version, author, status, slug, published_at, dated, modified_at, title, timezone, start_local, end_local,
						start_utc, end_utc, search, venue_ids, organizer_ids, term_ids, password)
					VALUES ($1, $2::bigint, 0, $3, $4, '', now(), true, now(), 'E', 'UTC', now(), now(), now(), now(), '', '{}', '{}', '{}', $5)`,
					e.ID, NullID(author), string(status), e.Password)
			}
		}
	}
	openers := []calendar.Opener{{All: true}}
	for _, user := range []int64{0, 1, 2} {
		for _, publishes := range []bool{false, true} {
			for _, password := range append(passwords, "Secret", "secre", " secret") {
				openers = append(openers, calendar.Opener{User: user, Publishes: publishes, Password: password})
			}
		}
	}
	for _, o := range openers {
		hidden := map[int64]bool{}
		k.must(k.db.Read(k.ctx, func(site int64, b *pgx.Batch) {
			b.Queue(`SELECT e.id FROM events e WHERE e.site_id = @site AND `+Masked, OpenerArgs(o, pgx.NamedArgs{"site": site})).Query(func(rows pgx.Rows) error {
				ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
				for _, id := range ids {
					hidden[id] = true
				}
				return err
			})
		}))
		for _, e := range events {
			public := e.Status == calendar.Publish || e.Status == calendar.Future || e.Status == calendar.Private
			own := e.Author != 0 && e.Author == o.User && (o.Publishes || !public)
			if want := e.Protected() && !o.All && !own && !e.Opens(o.Password); hidden[e.ID] != want {
				t.Errorf("%s of %d with %d bytes for %+v: hidden %v", e.Status, e.Author, len(e.Password), o, hidden[e.ID])
			}
		}
	}
}
