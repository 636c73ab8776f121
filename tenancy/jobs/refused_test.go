package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
)

// Clients are told what is wrong with their archive or their arguments. Of what went wrong in here they learn only that something did.
func TestProblems(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		err    error
		status int
		code   string
	}{
		"no archive":            {fmt.Errorf("read: %w", archive.ErrNoArchive), 400, "archive_unknown"},
		"of a newer":            {archive.ErrTooNew, 400, "archive_too_new"},
		"a bomb":                {archive.ErrTooLarge, 400, "archive_too_large"},
		"damaged":               {fmt.Errorf("%w: at 7", archive.ErrDamaged), 400, "archive_damaged"},
		"the site is gone":      {tenancy.ErrNoSite, 404, "rest_site_not_found"},
		"no room":               {fmt.Errorf("write: %w", syscall.ENOSPC), 507, "rest_insufficient_storage"},
		"over a quota":          {syscall.EDQUOT, 507, "rest_insufficient_storage"},
		"died three times":      {errAbandoned, 500, "job_abandoned"},
		"arguments":             {fmt.Errorf("x: %w", args.Invalid("slug", "problem.site.taken", map[string]any{"Slug": "a"})), 400, "rest_invalid_param"},
		"anything else":         {errors.New("password of the database"), 500, "internal_server_error"},
		"known before":          {&Refused{Problem{Status: 400, Code: "archive_damaged"}, archive.ErrDamaged}, 400, "archive_damaged"},
		"both, room counts not": {errors.Join(archive.ErrDamaged, syscall.ENOSPC), 400, "archive_damaged"},
	} {
		p := problemOf(c.err)
		if p.Status != c.status || p.Code != c.code {
			t.Errorf("%s: %+v", what, p)
		}
		text, err := json.Marshal(p)
		if err != nil || strings.Contains(string(text), "password") {
			t.Errorf("%s: %s %v", what, text, err)
		}
		if !errors.Is(refused(c.err), c.err) {
			t.Errorf("%s: what it was is lost", what)
		}
	}
}

// What is wrong with arguments survives being stored, as many as there are.
func TestProblemsAreStored(t *testing.T) {
	t.Parallel()
	found := &args.Problems{}
	found.Invalid("slug", "problem.site.taken", nil)
	found.Invalid("domains", "problem.domain.taken", map[string]any{"Domain": "a.example"})
	text, err := json.Marshal(problemOf(found))
	if err != nil {
		t.Fatal(err)
	}
	var p Problem
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(found.Broken(), p.Problems().Broken()); diff != "" {
		t.Error(diff)
	}
	if (&Problem{Status: 500}).Problems() != nil {
		t.Error("a problem with no argument has some")
	}
}

// An import changes what its arguments say: a name that isn't sent stays, and an empty list of domains is none.
func TestBecome(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		fields ImportFields
		stored string
	}{
		"nothing":    {ImportFields{}, "{}"},
		"a slug":     {ImportFields{Slug: args.Some("new")}, `{"slug":"new"}`},
		"all":        {ImportFields{Slug: args.Some("new"), Name: args.Some("N"), Domains: args.Some(args.Texts{"a.example"})}, `{"slug":"new","name":"N","domains":["a.example"]}`},
		"no domains": {ImportFields{Domains: args.Some(args.Texts{})}, `{"domains":[]}`},
	} {
		text, err := json.Marshal(c.fields.become())
		if err != nil || string(text) != c.stored {
			t.Errorf("%s: %s %v", what, text, err)
		}
		var b Become
		if err := json.Unmarshal(text, &b); err != nil {
			t.Fatal(err)
		}
		f := b.fields()
		if f.Slug.Given() != c.fields.Slug.Given() || f.Name.Or("-") != c.fields.Name.Or("-") || f.Domains.Given() != c.fields.Domains.Given() ||
			len(f.Domains.Or(nil)) != len(c.fields.Domains.Or(nil)) {
			t.Errorf("%s: %+v", what, f)
		}
	}
	for slug, ok := range map[string]bool{"new": true, "New": false, "a_b": false, "-a": false, "": false} {
		found := &args.Problems{}
		if (&ImportFields{Slug: args.Some(slug)}).Check(found); (found.Err() == nil) != ok {
			t.Errorf("%q: %v", slug, found.Err())
		}
	}
}

// A job has ended when it is done, has failed or was cancelled, and each of its attempts has a file of its own.
func TestStates(t *testing.T) {
	t.Parallel()
	for state, ended := range map[State]bool{Queued: false, Running: false, Done: true, Failed: true, Cancelled: true} {
		if j := (&Job{State: state}); j.Ended() != ended {
			t.Errorf("%s: %v", state, !ended)
		}
	}
	seen := map[string]bool{}
	for id := range int64(30) {
		for attempt := range 5 {
			name := (&Job{ID: id}).file(attempt)
			if seen[name] {
				t.Errorf("%s is two files", name)
			}
			seen[name] = true
		}
	}
	a, b := newHold(), newHold()
	if a.Key == b.Key || a.Key == "" || a.For != lease || lease < 3*beat {
		t.Errorf("%+v %+v", a, b)
	}
}
