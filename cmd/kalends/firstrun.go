package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
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

// firstUser is the administrator of the demo site.
var firstUser = tenancy.User{Login: "admin", Email: "admin@demo.invalid"}

// firstPassword returns the password of the first administrator. It checks the configured one before anything is created:
// the next run, with a better one, would find a site and leave it without an administrator.
func (p *program) firstPassword() (string, error) {
	if p.config.AdminPassword == "" {
		return rand.Text(), nil
	}
	if err := accounts.CheckNewPassword(p.config.AdminPassword, &firstUser); err != nil {
		return "", errors.New(readable(err, func(string) string { return "KALENDS_ADMIN_PASSWORD" }))
	}
	return p.config.AdminPassword, nil
}

// firstRun creates the demo site with its administrator if there are no sites, and prints once how to sign in.
func (p *program) firstRun(in *installation, base string) error {
	ctx := provider(p.ctx)
	page, err := in.platform.Sites.List(ctx, &platform.SiteFilter{})
	if err != nil || page.Total > 0 {
		return err
	}
	password, err := p.firstPassword()
	if err != nil {
		return err
	}
	zone, err := args.ParseZone("Europe/Berlin")
	if err != nil {
		return err
	}
	site, err := in.platform.Sites.Create(ctx, &platform.SiteFields{Slug: args.Some(demoSite),
		ProfileFields: platform.ProfileFields{Name: args.Some("Lindau Calendar"), Timezone: args.Some(zone), Language: args.Some("en")}})
	if err != nil {
		return fmt.Errorf("first run: %w", err)
	}
	if ctx, err = tenancy.Enter(ctx, site); err != nil {
		return err
	}
	user, secret, err := in.platform.Users.Create(ctx, &accounts.UserFields{Login: args.Some(firstUser.Login),
		Email: args.Some(args.Email(firstUser.Email)), Password: args.Some(password), Name: args.Some("Admin"),
		Role: args.Some(string(tenancy.Administrator))})
	if err != nil {
		return fmt.Errorf("first run: %w", err)
	}
	scope := *tenancy.Current(ctx)
	scope.Principal = user.Principal()
	if ctx, err = in.speak(tenancy.With(ctx, scope)); err == nil {
		err = in.fill(ctx)
	}
	if err != nil {
		return fmt.Errorf("first run: %w", err)
	}
	p.welcome(base, password, secret)
	return nil
}

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

// welcome prints the secrets of a first run once. A password chosen by the operator is not printed, because the
// output of containers is stored.
func (p *program) welcome(base, password, secret string) {
	fmt.Fprintf(p.out, "\nFirst run: there is now a site %q with sample events.\n", demoSite)
	if p.config.AdminPassword != "" {
		fmt.Fprintf(p.out, `
The calendar is at %s/, its administration at %[1]s/admin/. Sign in as admin with the password of
KALENDS_ADMIN_PASSWORD; you can create application passwords under your name.

`, base)
		return
	}
	fmt.Fprintf(p.out, `This is shown once:

  login                 admin
  password              %s
  application password  %s

The calendar is at %s/, its administration at %[3]s/admin/. Try the API:

  curl -u 'admin:%[2]s' %[3]s/calendar/events/v1/events \
    -d title='My first event' -d start_date='tomorrow 19:00' -d end_date='tomorrow 21:00'

`, password, secret, base)
}
