package storage

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/test/eventtest"
)

// aged adds entries of a site, one of each age in days, as the service may: to
// its history, with a sign-in of the same day.
func (k *kit) aged(site int64, days ...int) {
	k.Helper()
	for i, age := range days {
		at := time.Now().UTC().AddDate(0, 0, -age)
		k.Exec(site, `
			INSERT INTO changes (site_id, version, kind, id, action, user_id, at, who)
			VALUES ($1, $2, 'event', 1, $3, 1, $4, $5)`, site, i+1, map[bool]string{true: "create", false: "update"}[i == 0], at, fmt.Sprint(age))
		k.Exec(site, `
			INSERT INTO changes (site_id, version, kind, id, n, action, user_id, at, who)
			VALUES ($1, 1000, 'session', 1, $2, 'sign_in', 1, $3, $4)`, site, i, at, fmt.Sprint("in ", age))
	}
}

func (k *kit) who(site int64) (list []string) {
	k.Helper()
	for _, n := range k.history(site, 0) {
		list = append(list, n.Who)
	}
	return list
}

// TestPurgeHistory: what is older goes, of every site, and nothing else.
func TestPurgeHistory(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	second := k.NewSite("two")
	k.aged(k.Site, 400, 90, 61, 59, 1)
	k.aged(second, 70, 20)
	n, err := k.db.PurgeHistory(t.Context(), time.Now().AddDate(0, 0, -60))
	k.Must(err)
	k.Equal("deleted", n, int64(8))
	k.Equal("left", k.who(k.Site), []string{"59", "1", "in 59", "in 1"})
	k.Equal("left of the other", k.who(second), []string{"20", "in 20"})
	n, err = k.db.PurgeHistory(t.Context(), time.Now().AddDate(0, 0, -60))
	k.Must(err)
	k.Equal("deleted again", n, int64(0))
}

// TestPurgeHistoryHasNoGaps: an entry stays when one before it does, whatever
// the clocks of nodes say.
func TestPurgeHistoryHasNoGaps(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.aged(k.Site, 90, 59, 61, 40)
	_, err := k.db.PurgeHistory(t.Context(), time.Now().AddDate(0, 0, -60))
	k.Must(err)
	k.Equal("left", k.who(k.Site), []string{"59", "61", "40", "in 59", "in 40"})
}

// TestPurgeHistoryInBatches has more than one transaction takes.
func TestPurgeHistoryInBatches(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.Exec(k.Site, `
		INSERT INTO changes (site_id, version, kind, id, action, user_id, at)
		SELECT $1, n, 'tag', n, 'create', 1, now() - interval '1 year' FROM generate_series(1, 2 * $2 + 1) n`, k.Site, purgedAtOnce)
	k.aged(k.Site)
	n, err := k.db.PurgeHistory(t.Context(), time.Now().AddDate(0, 0, -60))
	k.Must(err)
	k.Equal("deleted", n, int64(2*purgedAtOnce+1))
	k.Equal("left", len(k.history(k.Site, 0)), 0)
}

// TestPurgeIsHeld: the function deletes nothing younger than 30 days, whatever
// it is asked, and nothing without a site; while another node is at it, none.
func TestPurgeIsHeld(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.aged(k.Site, 40, 29)
	var n int64
	k.Must(k.db.Across(eventtest.Why).QueryRow(t.Context(), "SELECT purge_changes(now(), 100)").Scan(&n))
	k.Equal("without a site", n, int64(0))
	k.In(k.NewSite("two"), func(tx pgx.Tx) error {
		return tx.QueryRow(t.Context(), "SELECT purge_changes(now(), 100)").Scan(&n)
	})
	k.Equal("of another site", n, int64(0))
	k.Equal("left", len(k.history(k.Site, 0)), 4)

	k.In(k.Site, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SELECT pg_advisory_xact_lock(hashtext('kalends purge_changes'))"); err != nil {
			return err
		}
		other, err := k.open().PurgeHistory(t.Context(), time.Now())
		k.Equal("beside another node", other, int64(0))
		return err
	})
	_, err := k.db.PurgeHistory(t.Context(), time.Now())
	k.Must(err)
	k.Equal("left", k.who(k.Site), []string{"29", "in 29"})

	// The service's own hands stay tied.
	for _, sql := range []string{"DELETE FROM changes WHERE site_id = $1", "UPDATE changes SET at = now() - interval '1 year' WHERE site_id = $1",
		"TRUNCATE changes"} {
		err := pgx.BeginFunc(t.Context(), k.db.At(eventtest.Why, k.Site), func(tx pgx.Tx) error {
			if err := pg.EnterIn(t.Context(), tx, k.Site); err != nil {
				return err
			}
			arguments := []any{k.Site}
			if sql == "TRUNCATE changes" {
				arguments = nil
			}
			_, err := tx.Exec(t.Context(), sql, arguments...)
			return err
		})
		var said *pgconn.PgError
		if !errors.As(err, &said) || said.Code != "42501" {
			t.Errorf("%s: %v", sql, err)
		}
	}
}
