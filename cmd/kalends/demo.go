package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
)

// demoSite is the slug of the site created on the first run.
const demoSite = "demo"

// demo contains the sample events in the site's language, and one file per other language with the translation of each
// text.
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

// fill creates the sample events of the coming weeks with images.
func (in *installation) fill(ctx context.Context) error {
	samples, books, err := demoTexts()
	if err != nil {
		return fmt.Errorf("sample events: %w", err)
	}
	table := args.TableOf(reflect.TypeFor[calendar.EventFields]())
	today := time.Now().In(tenancy.Current(ctx).Site.Location)
	pictures := map[string]int64{}
	for i := range samples {
		s := &samples[i]
		day, now := s.day(today)
		if !now {
			continue
		}
		for _, name := range []string{"start_date", "end_date"} {
			clock, _ := s.Arguments[name].(string)
			s.Arguments[name] = day.Format(time.DateOnly) + " " + clock
		}
		if err := in.picture(ctx, s, pictures); err != nil {
			return fmt.Errorf("sample pictures: %w", err)
		}
		books.translate(s.Arguments)
		fields := &calendar.EventFields{}
		if err := table.Parse(s.Arguments, args.Creating, fields); err != nil {
			return fmt.Errorf("sample events: %w", err)
		}
		if _, err := in.calendar.Events().Create(ctx, fields); err != nil {
			return fmt.Errorf("sample events: %w", err)
		}
	}
	return in.nameTerms(ctx, books)
}

// picture assigns a sample its image, which is drawn once and shared.
func (in *installation) picture(ctx context.Context, s *sample, made map[string]int64) error {
	scene := demoScene(s.Picture)
	if scene == nil {
		return nil
	}
	if made[s.Picture] == 0 {
		body, err := scene.draw()
		if err != nil {
			return err
		}
		image, err := in.calendar.Images().Upload(ctx, s.Picture+".png", bytes.NewReader(body))
		if err != nil {
			return err
		}
		if _, err := in.calendar.Images().Describe(ctx, image.ID, demoAlts[s.Picture], nil, nil); err != nil {
			return err
		}
		made[s.Picture] = image.ID
	}
	s.Arguments["image"] = json.Number(strconv.FormatInt(made[s.Picture], 10))
	return nil
}
