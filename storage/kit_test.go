package storage

import (
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/test/eventtest"
)

// kit is a database with one site, and the store of everything.
type kit struct {
	*eventtest.Kit
	db *DB
}

func newKit(t testing.TB) *kit {
	t.Helper()
	k := &kit{}
	k.Kit = eventtest.New(t, func(url string) eventtest.Store {
		k.db = open(t, url)
		return k.db
	})
	return k
}

// open returns another node's store on the same database.
func (k *kit) open() *DB {
	k.Helper()
	return open(k, k.URL)
}

func open(t testing.TB, url string) *DB {
	t.Helper()
	db, err := Open(t.Context(), url, Options{Clock: func() time.Time { return eventtest.Monday }, Strict: true, Connect: storagetest.Connect(t)})
	if err != nil {
		t.Fatal(err)
	}
	return db
}
