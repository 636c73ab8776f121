package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/wording"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// starting is a start of the program on a database, up to the first run.
type starting struct {
	*installation
	program *program
	out     *bytes.Buffer
}

func startOn(t *testing.T, database, dir string) *starting {
	t.Helper()
	out := &bytes.Buffer{}
	p := &program{ctx: t.Context(), getenv: func(string) string { return "" }, out: out, errs: out,
		config: &Config{DatabaseURL: database, DataDir: dir, Connections: 4, DefaultSite: demoSite, PlatformDomain: "localhost", LogLevel: "error"}}
	in, err := p.open(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.close)
	if _, err := platformstore.Secret(t.Context(), in.db.Engine(), wording.Folding); err != nil {
		t.Fatal(err)
	}
	return &starting{in, p, out}
}

// result is what a first run has made.
func (s *starting) result(t *testing.T) string {
	t.Helper()
	ctx, err := s.enter(t.Context(), demoSite)
	if err != nil {
		t.Fatal(err)
	}
	events, _, err := s.calendar.Events().List(ctx, &calendar.EventFilter{})
	if err != nil {
		t.Fatal(err)
	}
	images, err := s.calendar.Images().List(ctx, services.ImageFilter{})
	if err != nil {
		t.Fatal(err)
	}
	users, err := s.platform.Users.List(ctx, &accounts.UserFilter{})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := s.platform.Keys.All(ctx, &accounts.KeyFilter{})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d events, %d images, %d users, %d keys, %d languages", events.Total, images.Total, users.Total, keys.Total,
		len(tenancy.Current(ctx).Site.Settings.ContentLanguages))
}

var firstSecrets = regexp.MustCompile(`  password +(\S+)\n  application password +(.+)\n`)

// TestFirstRunInterrupted ends a first run between every two of its steps; the samples are one kind of step. The next start
// makes what is missing, once, and shows a password that lets its reader in. The one after that shows nothing.
func TestFirstRunInterrupted(t *testing.T) {
	t.Parallel()
	whole := startOn(t, storagetest.Database(t), dataDir(t))
	if err := whole.program.firstRun(whole.installation, "http://first"); err != nil {
		t.Fatal(err)
	}
	want := whole.result(t)
	if !strings.Contains(want, "1 users, 1 keys, 6 languages") || !firstSecrets.MatchString(whole.out.String()) {
		t.Fatalf("%s\n%s", want, whole.out)
	}
	r, err := whole.program.newFirstRun(whole.installation, "")
	if err != nil {
		t.Fatal(err)
	}
	n := len(r.steps)
	for _, done := range []int{1, 2, 3, 4, n / 2, n - 2, n - 1} {
		t.Run(fmt.Sprintf("after %d of %d", done, n), func(t *testing.T) {
			t.Parallel()
			database, dir := storagetest.Database(t), dataDir(t)
			s := startOn(t, database, dir)
			begun, err := s.program.newFirstRun(s.installation, "http://begun")
			for i := 0; err == nil && i < done; i++ {
				err = begun.steps[i]()
			}
			if err == nil && done == 4 { // in the middle of a step: a picture without its event, and without a description
				samples, _, wrong := demoTexts()
				if wrong != nil {
					t.Fatal(wrong)
				}
				err = s.uploadFirst(begun.ctx, samples)
			}
			if err != nil {
				t.Fatal(err)
			}
			again := startOn(t, database, dir)
			if err := again.program.firstRun(again.installation, "http://again"); err != nil {
				t.Fatal(err)
			}
			if got := again.result(t); got != want {
				t.Errorf("there are %s, want %s", got, want)
			}
			shown := firstSecrets.FindStringSubmatch(again.out.String())
			if shown == nil {
				t.Fatalf("no password is shown: %s", again.out)
			}
			again.signIn(t, shown[1], shown[2])
			third := startOn(t, database, dir)
			if err := third.program.firstRun(third.installation, ""); err != nil || third.out.Len() > 0 {
				t.Errorf("the next start: %v %s", err, third.out)
			}
			third.signIn(t, shown[1], shown[2])
		})
	}
}

// uploadFirst uploads the picture of the first sample that has one.
func (s *starting) uploadFirst(ctx context.Context, samples []sample) error {
	for i := range samples {
		if name := samples[i].Picture + ".png"; name != ".png" {
			body, err := demo.ReadFile("demo/" + name)
			if err == nil {
				_, err = s.calendar.Images().Upload(ctx, name, bytes.NewReader(body))
			}
			return err
		}
	}
	return nil
}

// signIn tries both passwords of the administrator.
func (s *starting) signIn(t *testing.T, password, secret string) {
	t.Helper()
	ctx, err := s.enter(t.Context(), demoSite)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.platform.Authenticator.SignIn(ctx, firstUser.Login, password); err != nil {
		t.Errorf("the password: %v", err)
	}
	if _, err := s.platform.Authenticator.Basic(ctx, firstUser.Login, secret); err != nil {
		t.Errorf("the application password: %v", err)
	}
}

// TestLostPassword: the operator gives somebody a new password, a random one or a chosen one.
func TestLostPassword(t *testing.T) {
	t.Parallel()
	s := newTerminal(t, storagetest.Database(t))
	var made map[string]any
	s.must(&made, "site", "create", "town", "--name=Town")
	s.must(&made, "user", "create", "Ada", "--site=town", "--email=ada@example.org", "--role=administrator", "--password=the old password of Ada")
	s.must(&made, "user", "create", "ada2", "--site=town", "--email=ada2@example.org", "--role=editor")
	var random, chosen map[string]any
	s.must(&random, "user", "password", "ada", "--site=town")
	password, _ := random["password"].(string)
	if random["login"] != "Ada" || len(password) < 20 {
		t.Fatalf("printed %v", random)
	}
	in := startOn(t, s.env["DATABASE_URL"], s.env["KALENDS_DATA_DIR"])
	signIn := func(password string) error {
		ctx, err := in.enter(t.Context(), "town")
		if err != nil {
			t.Fatal(err)
		}
		in.platform.Forget(tenancy.Current(ctx).Site.ID)
		_, err = in.platform.Authenticator.SignIn(ctx, "Ada", password)
		return err
	}
	if err := signIn(password); err != nil {
		t.Errorf("the random password: %v", err)
	}
	s.must(&chosen, "user", "password", "Ada", "--site=town", "--password=a chosen password")
	if _, shown := chosen["password"]; shown {
		t.Errorf("printed what was typed: %v", chosen)
	}
	if err := signIn("a chosen password"); err != nil {
		t.Errorf("the chosen password: %v", err)
	}
	for _, old := range []string{password, "the old password of Ada"} {
		if signIn(old) == nil {
			t.Errorf("%q still lets her in", old)
		}
	}
	s.fails("no such user", "user", "password", "nobody", "--site=town")
	s.fails("password", "user", "password", "Ada", "--site=town", "--password=short")
}
