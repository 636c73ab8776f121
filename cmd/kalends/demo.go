package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// demoSite is the slug of the site created on the first run.
const demoSite = "demo"

// demo contains the sample events in the site's language, one file per other language with the translation of each text, and
// the events' pictures, which were drawn for this program and credit nobody.
//
//go:embed demo
var demo embed.FS

// demoLanguages are the site's additional languages.
var demoLanguages = []string{"de", "fr", "es", "ar", "ja"}

// sample is a sample event: in which week after the first run, on which weekday, and optionally in which season it
// takes place.
type sample struct {
	Week      int         `json:"Week"`
	Weekday   int         `json:"Weekday"` // 0 is Sunday
	Season    string      `json:"Season"`
	Picture   string      `json:"Picture"`
	Arguments args.Values `json:"Arguments"`
}

// day returns the date of the sample relative to a day, or false if it belongs to another season.
func (s *sample) day(today time.Time) (time.Time, bool) {
	day := today.AddDate(0, 0, 1)
	for int(day.Weekday()) != s.Weekday {
		day = day.AddDate(0, 0, 1)
	}
	day = day.AddDate(0, 0, 7*s.Week)
	season := [...]string{"winter", "spring", "summer", "autumn"}[int(day.Month())%12/3]
	return day, s.Season == "" || s.Season == season
}

// nameSamples sets the slugs that samples would get if they were created one after the other, so that each can be
// found.
func nameSamples(samples []sample) {
	made := map[string]int{}
	for i := range samples {
		title, _ := samples[i].Arguments["title"].(string)
		slug := wording.Slug(title)
		if made[slug]++; made[slug] > 1 {
			slug += "-" + strconv.Itoa(made[slug])
		}
		samples[i].Arguments["slug"] = slug
	}
}

// sample creates a sample event of the coming weeks with its image, unless it is there.
func (in *installation) sample(ctx context.Context, s *sample, books phrasebooks) error {
	slug, _ := s.Arguments["slug"].(string)
	if _, err := in.calendar.Events().Get(ctx, calendar.Key{Slug: slug}, ""); !errors.Is(err, calendar.ErrNotFound) {
		return err
	}
	day, _ := s.day(time.Now().In(tenancy.Current(ctx).Site.Location))
	for _, name := range []string{"start_date", "end_date"} {
		clock, _ := s.Arguments[name].(string)
		s.Arguments[name] = day.Format(time.DateOnly) + " " + clock
	}
	if err := in.picture(ctx, s); err != nil {
		return fmt.Errorf("sample pictures: %w", err)
	}
	books.translate(s.Arguments)
	fields := &calendar.EventFields{}
	if err := args.TableOf(reflect.TypeFor[calendar.EventFields]()).Parse(s.Arguments, args.Creating, fields); err != nil {
		return fmt.Errorf("sample events: %w", err)
	}
	if _, err := in.calendar.Events().Create(ctx, fields); err != nil {
		return fmt.Errorf("sample events: %w", err)
	}
	return nil
}

// demoAlts are the alternative texts of the images.
var demoAlts = map[string]string{
	"lake":    "A sailing boat on the lake before mountains",
	"jazz":    "A record on a turntable under warm light",
	"market":  "Striped awnings over crates of fruit",
	"book":    "Open books under a reading lamp",
	"film":    "A beam of light from a projector",
	"church":  "A church tower in the evening",
	"run":     "A path along the shore at sunrise",
	"repair":  "Cogwheels on a bench",
	"stage":   "A curtain and a spotlight on a stage",
	"concert": "The strings of an instrument",
	"wine":    "Vineyards on a hill",
	"winter":  "Snow on fir trees at night",
}

// picture assigns a sample its image. It is stored for the first that shows it, and shared by the others.
func (in *installation) picture(ctx context.Context, s *sample) error {
	if s.Picture == "" {
		return nil
	}
	image, err := in.pictureNamed(ctx, s.Picture+".png")
	if err == nil && image == nil {
		var body []byte
		if body, err = demo.ReadFile("demo/" + s.Picture + ".png"); err == nil {
			image, err = in.calendar.Images().Upload(ctx, s.Picture+".png", bytes.NewReader(body))
		}
	}
	if err != nil {
		return err
	}
	if image.Alt == "" {
		if _, err := in.calendar.Images().Describe(ctx, image.ID, demoAlts[s.Picture], nil, nil, nil); err != nil {
			return err
		}
	}
	s.Arguments["image"] = json.Number(strconv.FormatInt(image.ID, 10))
	return nil
}

// pictureNamed returns the image of a file name, or nil.
func (in *installation) pictureNamed(ctx context.Context, file string) (*calendar.Image, error) {
	page, err := in.calendar.Images().List(ctx, services.ImageFilter{PerPage: 100})
	if err != nil {
		return nil, err
	}
	for _, image := range page.Items {
		if image.File == file {
			return image, nil
		}
	}
	return nil, nil //nolint:nilnil // none has this name
}
