package cache

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/kalends/kalends/storage/storagetest"
)

func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }

// body returns text that compresses like JSON.
func body(n int) []byte {
	return bytes.Repeat([]byte(`{"title":"Concert in the park","venue":{"id":17}},`), n/50+1)[:n]
}

func answerOf(text string) *Answer {
	return &Answer{ETag: `"1-x"`, Headers: []Header{{"Vary", "Accept-Encoding"}}, Body: []byte(text)}
}

func keyOf(site, version int64, rest string) Key {
	return Key{Site: site, Version: version, Rest: rest}
}

// must returns the answer of a Fetch that must succeed.
func must(t testing.TB, a *Answers, key Key, load func() (*Answer, error)) *Answer {
	t.Helper()
	answer, err := a.Fetch(t.Context(), key, load)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// making returns a load that counts its calls.
func making(text string, count *atomic.Int64) func() (*Answer, error) {
	return func() (*Answer, error) {
		count.Add(1)
		return answerOf(text), nil
	}
}

// same fails the test unless two answers are equal.
func same(t testing.TB, got, want *Answer) {
	t.Helper()
	if got == nil || got.ETag != want.ETag || !bytes.Equal(got.Body, want.Body) || !got.Until.Equal(want.Until) ||
		fmt.Sprint(got.Headers) != fmt.Sprint(want.Headers) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

var silent = slog.New(slog.DiscardHandler)

// redisOn returns another cache on a Redis with its writer running.
func redisOn(t testing.TB, url, secret string) *Redis {
	t.Helper()
	r, err := NewRedis(url, []byte(secret), silent)
	if err != nil {
		t.Fatal(err)
	}
	go r.Run(t.Context())
	return r
}

// patient returns a client of the same Redis with longer timeouts than the service.
func patient(t testing.TB, r *Redis) *redis.Client {
	t.Helper()
	to := r.client.Options() // which the client of the service still writes to, but for these
	client := redis.NewClient(&redis.Options{Network: to.Network, Addr: to.Addr, Username: to.Username, Password: to.Password, DB: to.DB,
		ReadTimeout: time.Minute, WriteTimeout: time.Minute, PoolTimeout: time.Minute, DialTimeout: time.Minute})
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// heard makes buckets report to Redis until that succeeds.
func heard(t testing.TB, b *Buckets) {
	t.Helper()
	until(t, "Redis hears", func() bool {
		b.tell(t.Context())
		return len(b.spent()) == 0
	})
}

// until waits for another goroutine.
func until(t testing.TB, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(5 * time.Minute); !done(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain for: " + what)
		}
	}
}

// address returns the rest of a key as the server builds it.
func address(i int) string {
	return fmt.Sprintf("http demo.example.org en /calendar/events/v1/events?page=%d%s", i, strings.Repeat("&x", i%3))
}
