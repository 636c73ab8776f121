package media

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/kalends/kalends/media/mediatest"
)

// only references a single folder of site 1.
func only(id string) Named {
	return func(_ context.Context, site string, ids []string) ([]string, error) {
		if site == "1" && slices.Contains(ids, id) {
			return []string{id}, nil
		}
		return nil, nil
	}
}

func checkSweep(t *testing.T, s Store) {
	keys := []string{"1/a/x.png", "1/a/x-1.png", "1/b/y.png", "11/b/x.png", "job-1-1/0/archive.zip"}
	for _, key := range keys {
		put(t, s, key, "four")
	}
	broken := errors.New("the database is away")
	for about, c := range map[string]struct {
		before time.Time
		named  Named
		err    error
	}{
		"too young": {time.Now().Add(-time.Hour), only(""), nil},
		"broken":    {time.Now().Add(time.Hour), func(context.Context, string, []string) ([]string, error) { return nil, broken }, broken},
	} {
		if swept, err := s.Sweep(t.Context(), c.before, c.named); !errors.Is(err, c.err) || swept != (Swept{}) {
			t.Errorf("%s: %+v, %v", about, swept, err)
		}
	}
	for _, key := range keys {
		get(t, s, key)
	}
	swept, err := s.Sweep(t.Context(), time.Now().Add(time.Hour), only("b"))
	if err != nil || swept != (Swept{4, 16}) {
		t.Errorf("%+v, %v", swept, err)
	}
	get(t, s, "1/b/y.png")
	for _, key := range []string{"1/a/x.png", "1/a/x-1.png", "11/b/x.png", "job-1-1/0/archive.zip"} {
		wantNone(t, s, key)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Sweep(ended, time.Now().Add(time.Hour), only("")); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
	get(t, s, "1/b/y.png")
}

// Folders of a site are queried together, but not too many at once, and a folder with one recent file is kept.
func TestSweepAsksInTurns(t *testing.T) {
	t.Parallel()
	old, removed, questions := time.Unix(1_000_000_000, 0), map[string]bool{}, []string{}
	s := &sweeper{before: old.Add(time.Hour), remove: func(_ context.Context, name string) error {
		removed[name] = true
		return nil
	}, named: func(_ context.Context, site string, ids []string) ([]string, error) {
		questions = append(questions, fmt.Sprint(site, ":", len(ids)))
		return []string{"0007"}, nil
	}}
	for _, site := range []string{"1", "2"} {
		for n := range 700 {
			f := file{fmt.Sprintf("%s/%04d/x.png", site, n), 1, old}
			if err := errors.Join(s.add(t.Context(), f), s.add(t.Context(), file{f.name + "2", 1, old})); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, f := range []file{{"3/a/old.png", 1, old}, {"3/a/young.png", 1, s.before}, {"backup.sql", 1, old}, {"x/y/z/deep", 1, old}} {
		if err := s.add(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(questions, " "); got != "1:500 1:200 2:500 2:200" {
		t.Error(got)
	}
	if len(removed) != 2*2*699 || removed["1/0007/x.png"] || !removed["2/0699/x.png2"] {
		t.Errorf("%d removed", len(removed))
	}
	for name := range maps.Keys(removed) {
		if strings.HasPrefix(name, "3/") || !strings.Contains(name, ".png") {
			t.Errorf("%s was removed", name)
		}
	}
}

// TestSweepOfWhatWasBegun removes what an interrupted upload left, but not one in progress.
func TestSweepOfWhatWasBegun(t *testing.T) {
	t.Parallel()
	disk := must[*Disk](t)(NewDisk(t.TempDir()))
	t.Cleanup(func() { _ = disk.Close() })
	put(t, disk, "1/a/x.png", "named")
	for _, name := range []string{"1/a/.new-old", "1/a/.new-young"} {
		if err := disk.root.WriteFile(name, []byte("part"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-48 * time.Hour)
	for _, name := range []string{"1/a/.new-old", "1/a/x.png"} {
		if err := disk.root.Chtimes(name, past, past); err != nil {
			t.Fatal(err)
		}
	}
	if swept, err := disk.Sweep(t.Context(), time.Now().Add(-24*time.Hour), only("a")); err != nil || swept.Files != 1 {
		t.Errorf("disk: %+v, %v", swept, err)
	}
	if _, err := disk.root.Stat("1/a/.new-young"); err != nil {
		t.Error(err)
	}

	address, fake := mediatest.NewFake(t)
	s3 := s3At(t, address)
	core := minio.Core{Client: s3.client}
	if _, err := core.NewMultipartUpload(t.Context(), s3.bucket, s3.name("1/a/x.png"), minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		before time.Time
		left   bool
	}{{time.Now().Add(-24 * time.Hour), true}, {time.Now().Add(time.Hour), false}} {
		if _, err := s3.Sweep(t.Context(), c.before, only("")); err != nil {
			t.Error(err)
		}
		if _, unended := fake.Blobs(); unended != c.left {
			t.Errorf("before %s: left %v", c.before, unended)
		}
	}
}

// TestJanitor sweeps once a day, whichever node asks, only for the database that owns the files, and never by a clock
// that is ahead.
func TestJanitor(t *testing.T) {
	t.Parallel()
	disk := must[*Disk](t)(NewDisk(t.TempDir()))
	t.Cleanup(func() { _ = disk.Close() })
	now, owner := time.Now(), "this one"
	j := &Janitor{Blobs: disk, Named: only("kept"), Now: func(context.Context) (time.Time, string, error) { return now, owner, nil }}
	age := func(by time.Duration, names ...string) {
		t.Helper()
		for _, name := range names {
			if err := disk.root.Chtimes(name, time.Now().Add(-by), time.Now().Add(-by)); err != nil {
				t.Fatal(err)
			}
		}
	}
	step := func(about string, files int64, want error) {
		t.Helper()
		if swept, err := j.Sweep(t.Context()); swept.Files != files || !errors.Is(err, want) {
			t.Errorf("%s: %+v, %v", about, swept, err)
		}
	}
	put(t, disk, "1/kept/x.png", "x")
	put(t, disk, "1/left/x.png", "x")
	age(48*time.Hour, "1/kept/x.png", "1/left/x.png")
	step("the first time", 0, nil)
	step("at once again", 0, nil)
	age(23*time.Hour, lease)
	step("within the day", 0, nil)
	age(25*time.Hour, lease)
	owner = "a copy"
	step("by another database", 0, ErrForeign)
	if err := j.Check(t.Context()); !errors.Is(err, ErrForeign) {
		t.Error(err)
	}
	owner = "this one"
	step("the next day", 1, nil)
	get(t, disk, "1/kept/x.png")
	wantNone(t, disk, "1/left/x.png")
	step("by another node", 0, nil)

	put(t, disk, "1/upload/x.png", "under way")
	now = now.Add(1000 * time.Hour)
	step("by a clock that is ahead", 0, nil)
	get(t, disk, "1/upload/x.png")
	now = now.Add(-2000 * time.Hour)
	step("by a clock that is behind", 0, nil)
	away := errors.New("away")
	j.Now = func(context.Context) (time.Time, string, error) { return time.Time{}, "", away }
	step("without the database", 0, away)
}
