package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/media/mediatest"
	"github.com/kalends/kalends/storage/storagetest"
)

// upload sends a picture as the first run's admin and returns the path it is
// shown at.
func (s *service) upload(password string, width int) string {
	s.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part, err := form.CreateFormFile("file", "picture.png")
	if err == nil {
		err = png.Encode(part, image.NewGray(image.Rect(0, 0, width, 10)))
	}
	if err = errors.Join(err, form.Close()); err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPost, "http://"+s.addr+"/calendar/events/v1/media", &b)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.SetBasicAuth("admin", password)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	var made struct{ URL string }
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil || res.StatusCode != http.StatusCreated {
		s.t.Fatalf("%d %+v, %v\n%s", res.StatusCode, made, err, s.errs)
	}
	u, err := url.Parse(made.URL)
	if err != nil {
		s.t.Fatal(err)
	}
	return u.Path
}

// shows fails the test unless a picture is so wide at a path.
func (s *service) shows(path string, width int) {
	s.t.Helper()
	res, err := http.Get("http://" + s.addr + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	if config, err := png.DecodeConfig(res.Body); err != nil || config.Width != width || res.Header.Get("Content-Type") != "image/png" {
		s.t.Errorf("%s: %d %s, %+v, %v", path, res.StatusCode, res.Header.Get("Content-Type"), config, err)
	}
}

// TestPicturesInABucket runs two nodes that share nothing but Postgres and a
// bucket, and moves their site to a folder and to another bucket.
func TestPicturesInABucket(t *testing.T) {
	t.Parallel()
	bucket, database := mediatest.S3(t), storagetest.Database(t)
	env := []string{"DATABASE_URL=" + database, "KALENDS_MEDIA_URL=" + bucket, "KALENDS_LOG_LEVEL=info"}
	one := launchWith(t, dataDir(t), env).started()
	two := launchWith(t, dataDir(t), env).started()
	path := one.upload(one.password(), 400) // wide enough for a smaller size
	two.shows(path, 400)
	two.shows(strings.Replace(path, ".png", "-300x8.png", 1), 300)
	res, err := http.Get("http://" + two.addr + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(res.Body)
	if _ = res.Body.Close(); !strings.Contains(string(text), "\npictures: ok\n") {
		t.Errorf("ready: %s", text)
	}
	if log := one.errs.String() + two.errs.String(); strings.Contains(log, "se%2Fcret") || strings.Contains(log, "se/cret") || !strings.Contains(log, `"bucket":true`) {
		t.Errorf("the log tells the secret, or nothing of the bucket:\n%s", log)
	}

	s := newTerminal(t, database)
	s.env["KALENDS_MEDIA_URL"] = bucket
	var made map[string]any
	file := filepath.Join(t.TempDir(), "demo.zip")
	s.must(&made, "site", "export", "demo", file)
	rows, _ := made["rows"].(map[string]any)
	images, _ := rows["images"].(float64) // each with two smaller sizes
	if images < 1 || made["blobs"] != 3*images || made["missing"] != 0.0 {
		t.Errorf("exported %v", made)
	}
	other := storagetest.Database(t)
	for about, address := range map[string]string{"folder": "", "bucket": mediatest.S3(t)} {
		dir := dataDir(t)
		there := newTerminal(t, other)
		there.env["KALENDS_DATA_DIR"], there.env["KALENDS_MEDIA_URL"] = dir, address
		there.must(&made, "site", "import", file, "--slug="+about)
		node := launchWith(t, dir, []string{"DATABASE_URL=" + other, "KALENDS_MEDIA_URL=" + address, "KALENDS_DEFAULT_SITE=" + about}).started()
		node.shows(path, 400)
	}
}

// TestDoctorOfPictures looks at a bucket that is sound, and at all that can be
// wrong with one.
func TestDoctorOfPictures(t *testing.T) {
	t.Parallel()
	address, fake := mediatest.NewFake(t)
	s := newTerminal(t, storagetest.Database(t))
	s.env["KALENDS_MEDIA_URL"] = address
	if states, text, err := s.diagnosis(); states["pictures"] != "ok" || states["folder"] != "ok" || err != nil {
		t.Errorf("sound: %v, %v\n%s", states, err, text)
	}
	if blobs, unended := fake.Blobs(); len(blobs) > 0 || unended {
		t.Errorf("the doctor left %v", blobs)
	}
	for _, c := range []struct{ address, check, words string }{
		{strings.Replace(address, "key:", "stranger:", 1), "pictures", "may read"},
		{strings.Replace(address, "/pictures", "/nowhere", 1), "pictures", `no bucket "nowhere"`},
		{"https://key:geheim@127.0.0.1:1/pictures", "pictures", "connection refused"},
		{"https://key:geheim/x@127.0.0.1:1/pictures", "settings", "%2F"},
		{"ftp://key:geheim@127.0.0.1/pictures", "settings", "https://"},
	} {
		s.env["KALENDS_MEDIA_URL"] = c.address
		states, text, err := s.diagnosis()
		if states[c.check] != "fail" || err == nil || !strings.Contains(text, c.words) ||
			strings.Contains(text, "geheim") || strings.Contains(text, "se/cret") || strings.Contains(text, "se%2Fcret") {
			t.Errorf("%s: %v, %v\n%s", c.address, states, err, text)
		}
	}
	s.env["KALENDS_MEDIA_URL"] = "ftp://key:geheim@127.0.0.1/pictures"
	if _, err := s.run("site", "list"); err == nil || !strings.Contains(err.Error(), "KALENDS_MEDIA_URL") || strings.Contains(err.Error(), "geheim") {
		t.Errorf("started with a wrong address: %v", err)
	}
}

// bucketThat answers as it is told.
type bucketThat struct {
	err   error
	asked int
}

func (b *bucketThat) Answers(context.Context) error {
	b.asked++
	return b.err
}

// TestBucketIsWatched asks a bucket seldom, and hears of its end and its return.
func TestBucketIsWatched(t *testing.T) {
	t.Parallel()
	now, b, told := time.Unix(2_000_000_000, 0), &bucketThat{}, 0
	w := &bucketWatch{bucket: b, clock: func() time.Time { return now }, told: func(error) { told++ }}
	for _, step := range []struct {
		later time.Duration
		err   error
		why   bool
		asked int
	}{
		{0, nil, false, 1},
		{fresh, errors.New("refused"), false, 1},
		{time.Second, errors.New("refused"), true, 2},
		{fresh, nil, true, 2},
		{time.Second, nil, false, 3},
		{-time.Hour, errors.New("refused"), true, 4}, // the clock was put right
	} {
		now, b.err = now.Add(step.later), step.err
		if why := w.probe(t.Context()); (why != "") != step.why || b.asked != step.asked || strings.Contains(why, "refused") {
			t.Errorf("%+v: %q, asked %d times", step, why, b.asked)
		}
	}
	if told != 2 {
		t.Errorf("told %d times", told)
	}
}
