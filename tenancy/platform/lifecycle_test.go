package platform_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/tenancytest"
)

// atOnce deletes without days of grace.
func atOnce() *platform.DeletionFields { return &platform.DeletionFields{Grace: args.Some(0)} }

const day = 24 * time.Hour

// A deleted site is closed, keeps its names for the days of grace, comes back in
// the state it had, and is gone when the days are over.
func TestDeletedSiteWaits(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	i.Site("club", "club.example")
	_, err := i.Sites.Update(i.Provider(), "club", &platform.SiteFields{State: args.Some("read_only")})
	tenancytest.WantError(t, err, nil)
	site, err := i.Sites.Delete(i.Provider(), "club", &platform.DeletionFields{})
	if err != nil || !site.Deleted() || site.Standing() != tenancy.Deleted || site.Deletion.Purge.Sub(site.Deletion.At) != 30*day {
		t.Fatalf("%+v, %v", site, err)
	}
	_, err = i.Resolver.Resolve(t.Context(), "club.example")
	tenancytest.WantError(t, err, tenancy.ErrClosed)
	_, err = i.Sites.Create(i.Provider(), &platform.SiteFields{Slug: args.Some("club"), ProfileFields: platform.ProfileFields{Name: args.Some("N")}})
	tenancytest.WantProblem(t, err, "slug", "problem.site.taken")
	_, err = i.Sites.Create(i.Provider(), &platform.SiteFields{Slug: args.Some("x"), ProfileFields: platform.ProfileFields{Name: args.Some("N")},
		Domains: args.Some(args.Texts{"club.example"})})
	tenancytest.WantProblem(t, err, "domains", "problem.domain.taken")
	_, err = i.Sites.Update(i.Provider(), "club", &platform.SiteFields{State: args.Some("active")})
	tenancytest.WantProblem(t, err, "state", "problem.site.deleted")

	i.Wait(day)
	again, err := i.Sites.Delete(i.Provider(), "club", &platform.DeletionFields{Grace: args.Some(2)})
	if err != nil || !again.Deletion.At.Equal(site.Deletion.At) || again.Deletion.Before != tenancy.ReadOnly {
		t.Fatalf("%+v, %v", again.Deletion, err)
	}
	i.Wait(2*day - time.Hour)
	if slugs, err := i.Sites.Purge(i.Provider()); err != nil || slugs != nil {
		t.Fatalf("%v, %v", slugs, err)
	}
	back, err := i.Sites.Undelete(i.Provider(), "club")
	if err != nil || back.State != tenancy.ReadOnly || back.Deleted() {
		t.Fatalf("%+v, %v", back, err)
	}
	if _, err := i.Resolver.Resolve(t.Context(), "club.example"); err != nil {
		t.Error(err)
	}
	same, err := i.Sites.Undelete(i.Provider(), "club")
	if err != nil || same.State != tenancy.ReadOnly {
		t.Errorf("%+v, %v", same, err)
	}

	_, err = i.Sites.Delete(i.Provider(), "club", &platform.DeletionFields{Grace: args.Some(1)})
	tenancytest.WantError(t, err, nil)
	i.Wait(day + time.Second)
	_, err = i.Sites.Undelete(i.Provider(), "club")
	tenancytest.WantError(t, err, tenancy.ErrNoSite)
	late, err := i.Sites.Delete(i.Provider(), "club", &platform.DeletionFields{Grace: args.Some(300)}) // too late for more days: it goes
	if err != nil || late.Slug != "club" {
		t.Errorf("%+v, %v", late, err)
	}
	_, err = i.Sites.Get(i.Provider(), "club")
	tenancytest.WantError(t, err, tenancy.ErrNoSite)
	i.Site("club", "club.example")
}

// However many nodes purge at once, each site is removed once; one whose files
// can't be removed stays, doesn't keep the others, and is tried again.
func TestConcurrentPurge(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	cleared := map[int64]int{}
	var broken atomic.Int64
	i := tenancytest.Install(t, func(o *platform.Options) {
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
		site := i.Site(slug)
		if slug == "a" {
			broken.Store(site.ID)
		}
		_, err := i.Sites.Delete(i.Provider(), slug, &platform.DeletionFields{Grace: args.Some(1)})
		tenancytest.WantError(t, err, nil)
	}
	i.Site("stays")
	i.Wait(2 * day)
	var gone []string
	var nodes sync.WaitGroup
	for range 4 {
		nodes.Go(func() {
			list, _ := i.Sites.Purge(i.Provider()) // the broken one is busy or fails
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
	if _, err := i.Sites.Purge(i.Provider()); err == nil {
		t.Error("the broken one says nothing")
	}
	if _, err := i.Sites.Get(i.Provider(), "a"); err != nil {
		t.Error(err)
	}
	broken.Store(0)
	if list, err := i.Sites.Purge(i.Provider()); err != nil || !slices.Equal(list, slugs[:1]) {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := i.Sites.Get(i.Provider(), "stays"); err != nil {
		t.Error(err)
	}
}

func TestListSitesByState(t *testing.T) {
	t.Parallel()
	i := tenancytest.Install(t)
	for _, slug := range []string{"d", "c", "b", "a", "e"} {
		i.Site(slug)
	}
	for slug, state := range map[string]string{"a": "closed", "b": "read_only", "c": "closed"} {
		_, err := i.Sites.Update(i.Provider(), slug, &platform.SiteFields{State: args.Some(state)})
		tenancytest.WantError(t, err, nil)
	}
	_, err := i.Sites.Delete(i.Provider(), "c", &platform.DeletionFields{})
	tenancytest.WantError(t, err, nil)
	for state, want := range map[string][]string{"": {"a", "b", "c", "d", "e"}, "active": {"d", "e"}, "read_only": {"b"},
		"closed": {"a"}, "deleted": {"c"}} {
		f := &platform.SiteFilter{}
		if f.PerPage = args.Some(1); state != "" {
			f.State = args.Some(state)
		}
		var got []string
		for page := 1; ; page++ {
			f.Page = args.Some(page)
			list, err := i.Sites.List(i.Provider(), f)
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
