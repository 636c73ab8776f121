package storage

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/kalends/kalends/calendar"
)

// TestTones has pictures from before colors were told: each is asked for once, in steps, one that has a color is left alone, and what was
// interrupted goes on.
func TestTones(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.Outside(`INSERT INTO installation (secret) VALUES ('secret')`)
	for n := range tonedAtOnce + 3 {
		image := &calendar.Image{Key: fmt.Sprintf("key%d", n), File: "a.png", MIME: "image/png", Extension: "png", Width: 1, Height: 1, Focus: calendar.Middle}
		if n == 0 {
			image.Tone = "#010203"
		}
		k.Must(k.db.Images().Create(k.Ctx, image))
	}
	version := k.Column(`SELECT version::text FROM sites WHERE id = $1`, k.Site)
	asked, stop := map[string]int{}, errors.New("stopped")
	of := func(_ context.Context, site int64, picture *calendar.Image) (string, error) {
		k.Equal("the site", site, k.Site)
		switch asked[picture.Key]++; {
		case picture.Key == "key1":
			return "", nil // it is transparent
		case picture.Key == "key21" && asked[picture.Key] == 1:
			return "", stop
		}
		return "#abcdef", nil
	}
	if _, ok, err := k.db.ToneLater(t.Context(), of); ok || !errors.Is(err, stop) {
		t.Errorf("interrupted: %v, %v", ok, err)
	}
	pictures, ok, err := k.db.ToneLater(t.Context(), of)
	k.Must(err)
	k.Equal("told", ok, true)
	k.Equal("the rest of the pictures", pictures, 2)
	k.Equal("colors", k.Column(`SELECT tone || ' ' || count(*) FROM images WHERE site_id = $1 GROUP BY tone ORDER BY tone`, k.Site), []string{" 1", "#010203 1", "#abcdef 21"})
	if asked["key0"] != 0 || asked["key2"] != 1 {
		t.Errorf("asked for %v", asked)
	}
	if after := k.Column(`SELECT version::text FROM sites WHERE id = $1`, k.Site); after[0] == version[0] {
		t.Error("the site has no new version")
	}
	_, ok, err = k.db.ToneLater(t.Context(), of)
	k.Must(err)
	k.Equal("twice", ok, false)
}
