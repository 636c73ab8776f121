package tenancy_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// atOnce deletes without days of grace.
func atOnce() *tenancy.DeletionFields { return &tenancy.DeletionFields{Grace: args.Some(0)} }

const day = 24 * time.Hour

// A deleted site is closed, keeps its names for the days of grace, comes back in
// the state it had, and is gone when the days are over.
func TestDeletedSiteWaits(t *testing.T) {
	t.Parallel()
	i := install(t)
	i.site("club", "club.example")
	_, err := i.Sites.Update(i.provider(), "club", &tenancy.SiteFields{State: args.Some("read_only")})
	wantError(t, err, nil)
	site, err := i.Sites.Delete(i.provider(), "club", &tenancy.DeletionFields{})
	if err != nil || !site.Deleted() || site.Standing() != tenancy.Deleted || site.Deletion.Purge.Sub(site.Deletion.At) != 30*day {
		t.Fatalf("%+v, %v", site, err)
	}
	_, err = i.Resolver.Resolve(t.Context(), "club.example")
	wantError(t, err, tenancy.ErrClosed)
	_, err = i.Sites.Create(i.provider(), &tenancy.SiteFields{Slug: args.Some("club"), ProfileFields: tenancy.ProfileFields{Name: args.Some("N")}})
	wantProblem(t, err, "slug", "problem.site.taken")
	_, err = i.Sites.Create(i.provider(), &tenancy.SiteFields{Slug: args.Some("x"), ProfileFields: tenancy.ProfileFields{Name: args.Some("N")},
		Domains: args.Some(args.Texts{"club.example"})})
	wantProblem(t, err, "domains", "problem.domain.taken")
	_, err = i.Sites.Update(i.provider(), "club", &tenancy.SiteFields{State: args.Some("active")})
	wantProblem(t, err, "state", "problem.site.deleted")

	i.wait(day)
	again, err := i.Sites.Delete(i.provider(), "club", &tenancy.DeletionFields{Grace: args.Some(2)})
	if err != nil || !again.Deletion.At.Equal(site.Deletion.At) || again.Deletion.Before != tenancy.ReadOnly {
		t.Fatalf("%+v, %v", again.Deletion, err)
	}
	i.wait(2*day - time.Hour)
	if slugs, err := i.Sites.Purge(i.provider()); err != nil || slugs != nil {
		t.Fatalf("%v, %v", slugs, err)
	}
	back, err := i.Sites.Undelete(i.provider(), "club")
	if err != nil || back.State != tenancy.ReadOnly || back.Deleted() {
		t.Fatalf("%+v, %v", back, err)
	}
	if _, err := i.Resolver.Resolve(t.Context(), "club.example"); err != nil {
		t.Error(err)
	}
	same, err := i.Sites.Undelete(i.provider(), "club")
	if err != nil || same.State != tenancy.ReadOnly {
		t.Errorf("%+v, %v", same, err)
	}

	_, err = i.Sites.Delete(i.provider(), "club", &tenancy.DeletionFields{Grace: args.Some(1)})
	wantError(t, err, nil)
	i.wait(day + time.Second)
	_, err = i.Sites.Undelete(i.provider(), "club")
	wantError(t, err, tenancy.ErrNoSite)
	late, err := i.Sites.Delete(i.provider(), "club", &tenancy.DeletionFields{Grace: args.Some(300)}) // too late for more days: it goes
	if err != nil || late.Slug != "club" {
		t.Errorf("%+v, %v", late, err)
	}
	_, err = i.Sites.Get(i.provider(), "club")
	wantError(t, err, tenancy.ErrNoSite)
	i.site("club", "club.example")
}

// However many nodes purge at once, each site is removed once; one whose files
// can't be removed stays, doesn't keep the others, and is tried again.
func TestPurge(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	cleared := map[int64]int{}
	var broken atomic.Int64
	i := install(t, func(o *tenancy.Options) {
		o.RemoveFiles = func(_ context.Context, site int64) error {
			if site == broken.Load() {
				return errors.New("storage is away")
			}
			mu.Lock()
			defer mu.Unlock()
			cleared[site]++
			return nil
		}
	})
	slugs := []string{"a", "b", "c", "d", "e", "f"}
	for _, slug := range slugs {
		site := i.site(slug)
		if slug == "a" {
			broken.Store(site.ID)
		}
		_, err := i.Sites.Delete(i.provider(), slug, &tenancy.DeletionFields{Grace: args.Some(1)})
		wantError(t, err, nil)
	}
	i.site("stays")
	i.wait(2 * day)
	var gone []string
	var nodes sync.WaitGroup
	for range 4 {
		nodes.Go(func() {
			list, _ := i.Sites.Purge(i.provider()) // the broken one is busy or fails
			mu.Lock()
			defer mu.Unlock()
			gone = append(gone, list...)
		})
	}
	nodes.Wait()
	if slices.Sort(gone); !slices.Equal(gone, slugs[1:]) || len(cleared) != 5 {
		t.Errorf("gone: %v, cleared %v", gone, cleared)
	}
	for site, times := range cleared {
		if times != 1 {
			t.Errorf("site %d cleared %d times", site, times)
		}
	}
	if _, err := i.Sites.Purge(i.provider()); err == nil {
		t.Error("the broken one says nothing")
	}
	if _, err := i.Sites.Get(i.provider(), "a"); err != nil {
		t.Error(err)
	}
	broken.Store(0)
	if list, err := i.Sites.Purge(i.provider()); err != nil || !slices.Equal(list, slugs[:1]) {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := i.Sites.Get(i.provider(), "stays"); err != nil {
		t.Error(err)
	}
}

func TestListSitesByState(t *testing.T) {
	t.Parallel()
	i := install(t)
	for _, slug := range []string{"d", "c", "b", "a", "e"} {
		i.site(slug)
	}
	for slug, state := range map[string]string{"a": "closed", "b": "read_only", "c": "closed"} {
		_, err := i.Sites.Update(i.provider(), slug, &tenancy.SiteFields{State: args.Some(state)})
		wantError(t, err, nil)
	}
	_, err := i.Sites.Delete(i.provider(), "c", &tenancy.DeletionFields{})
	wantError(t, err, nil)
	for state, want := range map[string][]string{"": {"a", "b", "c", "d", "e"}, "active": {"d", "e"}, "read_only": {"b"},
		"closed": {"a"}, "deleted": {"c"}} {
		f := &tenancy.SiteFilter{}
		if f.PerPage = args.Some(1); state != "" {
			f.State = args.Some(state)
		}
		var got []string
		for page := 1; ; page++ {
			f.Page = args.Some(page)
			list, err := i.Sites.List(i.provider(), f)
			if err != nil || list.Total != len(want) {
				t.Fatalf("%s: %d, %v", state, list.Total, err)
			}
			if len(list.Items) == 0 {
				break
			}
			got = append(got, list.Items[0].Slug)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", state, got, want)
		}
	}
}
