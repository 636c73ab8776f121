package media

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/kalends/kalends/media/mediatest"
)

// stores returns a fresh instance of every implementation.
func stores(t *testing.T) map[string]Store {
	disk := must[*Disk](t)(NewDisk(t.TempDir()))
	t.Cleanup(func() { _ = disk.Close() })
	return map[string]Store{"disk": disk, "s3": s3At(t, mediatest.S3(t))}
}

// s3At returns the store at an address.
func s3At(t testing.TB, address string) *S3 {
	t.Helper()
	return must[*S3](t)(NewS3(must[S3Config](t)(ParseS3(address))))
}

// TestStores verifies that every implementation satisfies the contract of Store.
func TestStores(t *testing.T) {
	t.Parallel()
	for about, check := range map[string]func(*testing.T, Store){
		"put and get": checkPutGet, "replace": checkReplace, "missing": checkMissing, "delete": checkDelete, "clear": checkClear,
		"bad keys": checkBadKeys, "bad sizes": checkBadSizes, "broken reader": checkBrokenReader,
		"ended context": checkEndedContext, "outliving": checkOutliving, "seek": checkSeek, "sweep": checkSweep, "many at once": checkManyAtOnce,
	} {
		for name, store := range stores(t) {
			t.Run(name+"/"+about, func(t *testing.T) {
				t.Parallel()
				check(t, store)
			})
		}
	}
}

const testKey = "berlin/17/été.png"

func put(t *testing.T, s Store, key, blob string) {
	t.Helper()
	if err := s.Put(context.Background(), key, strings.NewReader(blob), int64(len(blob)), mimePNG); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s Store, key string) (string, Info) {
	t.Helper()
	r, info, err := s.Get(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return string(must[[]byte](t)(io.ReadAll(r))), info
}

func wantNone(t *testing.T, s Store, key string) {
	t.Helper()
	if _, _, err := s.Get(context.Background(), key); !errors.Is(err, ErrNoBlob) {
		t.Errorf("%s: got %v", key, err)
	}
}

func checkPutGet(t *testing.T, s Store) {
	blob := string(bytes.Repeat([]byte("0123456789abcdef"), 20_000))
	put(t, s, testKey, blob)
	got, info := get(t, s, testKey)
	if got != blob || info.Size != int64(len(blob)) || info.MIME != mimePNG || info.Modified.IsZero() {
		t.Errorf("got %d bytes, %+v", len(got), info)
	}
	put(t, s, "berlin/18/empty.png", "")
	if got, info := get(t, s, "berlin/18/empty.png"); got != "" || info.Size != 0 {
		t.Errorf("got %q, %+v", got, info)
	}
}

func checkReplace(t *testing.T, s Store) {
	put(t, s, testKey, "a long first one")
	r, _, err := s.Get(context.Background(), testKey)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	put(t, s, testKey, "second")
	if got, _ := get(t, s, testKey); got != "second" {
		t.Errorf("got %q", got)
	}
}

func checkMissing(t *testing.T, s Store) {
	wantNone(t, s, testKey)
	put(t, s, testKey, "x")
	wantNone(t, s, "paris/17/été.png")
	wantNone(t, s, "berlin/17/ete.png")
}

func checkDelete(t *testing.T, s Store) {
	put(t, s, testKey, "x")
	put(t, s, "berlin/17/other.png", "x")
	put(t, s, "berlin/1/other.png", "stays")
	err := s.Delete(context.Background(), testKey, "berlin/17/never.png", "../x/y", "berlin/17/other.png")
	if !errors.Is(err, ErrBadKey) {
		t.Errorf("got %v", err)
	}
	wantNone(t, s, testKey)
	wantNone(t, s, "berlin/17/other.png")
	if got, _ := get(t, s, "berlin/1/other.png"); got != "stays" {
		t.Errorf("got %q", got)
	}
	if err := s.Delete(context.Background(), testKey); err != nil {
		t.Errorf("second time: %v", err)
	}
	put(t, s, testKey, "again")
}

func checkClear(t *testing.T, s Store) {
	for _, key := range []string{"1/a/x.png", "1/a/x-1.png", "1/b/y.png", "11/a/x.png", "2/a/x.png"} {
		put(t, s, key, "x")
	}
	for _, site := range []string{"", "..", ".", "1/a", "/", ".x"} {
		if err := s.Clear(context.Background(), site); !errors.Is(err, ErrBadKey) {
			t.Errorf("%q: %v", site, err)
		}
	}
	for range 2 { // what is cleared can be cleared again
		if err := s.Clear(context.Background(), "1"); err != nil {
			t.Error(err)
		}
	}
	for _, key := range []string{"1/a/x.png", "1/a/x-1.png", "1/b/y.png"} {
		wantNone(t, s, key)
	}
	for _, key := range []string{"11/a/x.png", "2/a/x.png"} {
		if got, _ := get(t, s, key); got != "x" {
			t.Errorf("%s is %q", key, got)
		}
	}
	put(t, s, "1/a/x.png", "again")
}

func checkBadKeys(t *testing.T, s Store) {
	for _, key := range []string{"", "/", "a", "a/b", "a/b/c/d", "../b/c", "a/../c", "a/./c", "a//c", "/b/c", "a/b/",
		"a/b/.hidden", `a/b\..\c/d`, "a/b/c\x00", "a/b/c\n", "a/b/\xff", "c:/b/c", "a/b/" + strings.Repeat("x", 256)} {
		_, _, err := s.Get(context.Background(), key)
		if !errors.Is(err, ErrBadKey) {
			t.Errorf("get %q: %v", key, err)
		}
		if err := s.Put(context.Background(), key, strings.NewReader(""), 0, ""); !errors.Is(err, ErrBadKey) {
			t.Errorf("put %q: %v", key, err)
		}
	}
}

func checkBadSizes(t *testing.T, s Store) {
	for _, size := range []int64{-1, 0, 3, 5, 1000} {
		if err := s.Put(context.Background(), testKey, strings.NewReader("four"), size, mimePNG); !errors.Is(err, ErrBadSize) {
			t.Errorf("size %d: %v", size, err)
		}
	}
	wantNone(t, s, testKey)
}

func checkBrokenReader(t *testing.T, s Store) {
	put(t, s, testKey, "first")
	broken := errors.New("broken pipe")
	if err := s.Put(context.Background(), testKey, iotest.ErrReader(broken), 5, mimePNG); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if got, _ := get(t, s, testKey); got != "first" {
		t.Errorf("got %q", got)
	}
}

func checkEndedContext(t *testing.T, s Store) {
	put(t, s, testKey, "x")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := s.Get(ctx, testKey)
	for what, err := range map[string]error{
		"get": err, "delete": s.Delete(ctx, testKey),
		"put": s.Put(ctx, testKey, strings.NewReader("y"), 1, mimePNG),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got, _ := get(t, s, testKey); got != "x" {
		t.Errorf("got %q", got)
	}
}

// checkOutliving reads a blob, also from the middle, after the request has ended.
func checkOutliving(t *testing.T, s Store) {
	blob := string(bytes.Repeat([]byte("0123456789abcdef"), 100_000))
	put(t, s, testKey, blob)
	for _, from := range []int{0, len(blob) / 2} {
		ctx, cancel := context.WithCancel(context.Background())
		r, _, err := s.Get(ctx, testKey)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, err := r.Seek(int64(from), io.SeekStart); err != nil {
			t.Error(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != blob[from:] {
			t.Errorf("from %d: %d bytes, %v", from, len(got), err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func checkSeek(t *testing.T, s Store) {
	put(t, s, testKey, "0123456789")
	r, _, err := s.Get(context.Background(), testKey)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n, err := r.Seek(0, io.SeekEnd); n != 10 || err != nil {
		t.Errorf("end at %d, %v", n, err)
	}
	if _, err := r.Seek(4, io.SeekStart); err != nil {
		t.Error(err)
	}
	if rest := must[[]byte](t)(io.ReadAll(r)); string(rest) != "456789" {
		t.Errorf("got %q", rest)
	}
}

func checkManyAtOnce(t *testing.T, s Store) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				err := s.Put(context.Background(), testKey, strings.NewReader("same"), 4, mimePNG)
				if err == nil {
					err = s.Delete(context.Background(), "berlin/17/other.png")
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got, _ := get(t, s, testKey); got != "same" {
		t.Errorf("got %q", got)
	}
}
