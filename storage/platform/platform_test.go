package platform_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	store "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/storagetest"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/sitetest"
)

// provider returns a context in which the provider acts on no site.
func provider(t *testing.T) context.Context {
	t.Helper()
	return tenancy.AsProvider(t.Context(), tenancy.Provider{Name: "bot"})
}

// found makes a site of the provider.
func found(t *testing.T, b *sitetest.Bench, slug, name string, domains ...string) *tenancy.Site {
	t.Helper()
	s := &tenancy.Site{Slug: slug, Name: name, Timezone: "UTC", Language: "en", State: tenancy.Active, Settings: tenancy.DefaultSettings(), Domains: domains}
	if err := b.DB.Sites().Create(provider(t), s, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// notes lists what the provider's history says, the oldest first.
func notes(t *testing.T, b *sitetest.Bench) (list []string) {
	t.Helper()
	rows, err := b.DB.Across("a test looks at what is there").Query(t.Context(), `
		SELECT kind || ' ' || action || ' ' || name || ' ' || COALESCE(before::text, '-') || ' ' || COALESCE(after::text, '-')
		FROM provider_changes
		ORDER BY id`)
	if err == nil {
		list, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Sites are found by parts of their slugs, names and domains in any letter case and script, and put in the order asked for.
func TestSiteList(t *testing.T) {
	t.Parallel()
	b := sitetest.New(t)
	found(t, b, "zoo", "ÄRZTE", "zoo.example")
	found(t, b, "arts", "Галерея 100%")
	found(t, b, "mall", "mall", "xn--bcher-kva.example", "a_b.example")
	at := func(sql string, arguments ...any) {
		t.Helper()
		if _, err := b.DB.Across("a test changes what no service would").Exec(t.Context(), sql, arguments...); err != nil {
			t.Fatal(err)
		}
	}
	at(`UPDATE sites SET used_events = CASE slug WHEN 'arts' THEN 9 WHEN 'mall' THEN 3 ELSE 0 END, used_media_bytes = CASE slug WHEN 'zoo' THEN 5 ELSE 0 END`)
	at(`UPDATE sites SET state = 'closed', deleted_at = now(), purge_at = now(), deleted_state = 'active' WHERE slug = 'mall'`)
	at(`UPDATE sites SET state = 'closed' WHERE slug = 'zoo'`)
	at(`UPDATE sites SET changed_at = now() - interval '1 hour' WHERE slug <> 'mall'`)
	at(`UPDATE sites SET changed_at = now() WHERE slug = 'mall'`)
	for what, c := range map[string]struct {
		query tenancy.Query
		want  []string
	}{
		"by slug":             {tenancy.Query{}, []string{"arts", "mall", "zoo"}},
		"by name":             {tenancy.Query{Sort: "name"}, []string{"mall", "zoo", "arts"}},
		"by state":            {tenancy.Query{Sort: "state"}, []string{"arts", "zoo", "mall"}},
		"by events":           {tenancy.Query{Sort: "events"}, []string{"arts", "mall", "zoo"}},
		"by pictures":         {tenancy.Query{Sort: "media"}, []string{"zoo", "arts", "mall"}},
		"by change":           {tenancy.Query{Sort: "changed"}, []string{"mall", "arts", "zoo"}},
		"in umlauts":          {tenancy.Query{Search: "ärzte"}, []string{"zoo"}},
		"in other scripts":    {tenancy.Query{Search: "галерея"}, []string{"arts"}},
		"a sign":              {tenancy.Query{Search: "%"}, []string{"arts"}},
		"a domain":            {tenancy.Query{Search: ".example"}, []string{"mall", "zoo"}},
		"a domain as written": {tenancy.Query{Search: "bücher", Domain: "xn--bcher-kva"}, []string{"mall"}},
		"of none":             {tenancy.Query{Search: "nowhere"}, []string{}},
		"closed":              {tenancy.Query{State: tenancy.Closed}, []string{"zoo"}}, // a deleted one is told as deleted
		"deleted":             {tenancy.Query{State: tenancy.Deleted}, []string{"mall"}},
		"of a plan":           {tenancy.Query{Plan: tenancy.DefaultPlan, State: tenancy.Active}, []string{"arts"}},
		"of another":          {tenancy.Query{Plan: "small"}, []string{}},
	} {
		c.query.Page, c.query.PerPage = 1, 9
		page, err := b.DB.Sites().List(provider(t), c.query)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		got := []string{}
		for _, s := range page.Items {
			got = append(got, s.Slug)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) || page.Total != len(c.want) {
			t.Errorf("%s: %v of %d, want %v", what, got, page.Total, c.want)
		}
	}
	page, err := b.DB.Sites().List(provider(t), tenancy.Query{Page: 2, PerPage: 2})
	if err != nil || len(page.Items) != 1 || page.Total != 3 || page.Items[0].Slug != "zoo" {
		t.Errorf("the second page: %+v %v", page, err)
	}
}

// Numbers in names and slugs are in order of their value, across pages.
func TestSiteListByNumbers(t *testing.T) {
	t.Parallel()
	b := sitetest.New(t)
	for _, n := range []string{"10", "2", "1", "02", "12345678901234567890123", "3b", "3a"} {
		found(t, b, "parish-"+n, "Parish "+n)
	}
	for _, sort := range []string{"", "name", "state", "plan"} {
		got := []string{}
		for page := 1; page <= 4; page++ {
			p, err := b.DB.Sites().List(provider(t), tenancy.Query{Sort: sort, Page: page, PerPage: 2})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range p.Items {
				got = append(got, strings.TrimPrefix(s.Slug, "parish-"))
			}
		}
		if want := "[1 02 2 3a 3b 10 12345678901234567890123]"; fmt.Sprint(got) != want {
			t.Errorf("by %q: %v, want %s", sort, got, want)
		}
	}
}

// A site that is renamed leaves its slug to others; two never have one slug or one domain, and what is refused changes nothing.
func TestSiteNames(t *testing.T) {
	t.Parallel()
	b := sitetest.New(t)
	one := found(t, b, "one", "One", "one.example", "uno.example")
	found(t, b, "two", "Two", "two.example")
	update := func(slug string, change func(*tenancy.Site)) (*tenancy.Site, error) {
		return b.DB.Sites().Update(provider(t), slug, func(s *tenancy.Site) error { change(s); return nil })
	}
	s := &sitetest.Site{TB: t}
	_, err := update("one", func(s *tenancy.Site) { s.Slug = "two" })
	s.Refuses(err, "slug", "problem.site.taken")
	_, err = update("one", func(s *tenancy.Site) { s.Name, s.Domains = "X", []string{"two.example"} })
	s.Refuses(err, "domains", "problem.domain.taken")
	_, err = update("one", func(s *tenancy.Site) { s.Plan.Name = "nowhere" })
	s.Refuses(err, "plan", "problem.plan.unknown")
	s.Refuses(b.DB.Sites().Create(provider(t), &tenancy.Site{Slug: "two", Name: "N", Timezone: "UTC", Language: "en", State: tenancy.Active,
		Settings: tenancy.DefaultSettings()}, nil), "slug", "problem.site.taken")
	same, err := update("one", func(*tenancy.Site) {})
	s.Must(err)
	s.Equal("nothing changed", []any{same.Version, same.Name}, []any{one.Version, "One"})
	after, err := update("one", func(s *tenancy.Site) { s.Slug, s.Domains = "uno", []string{"eins.example", "one.example"} })
	s.Must(err)
	s.Equal("changed", []any{after.Slug, after.Domains, after.Version}, []any{"uno", []string{"eins.example", "one.example"}, one.Version + 1})
	for host, want := range map[string]string{"one.example": "uno", "eins.example": "uno", "uno.example": "", "two.example": "two", "": ""} {
		got, err := b.DB.Sites().ByHost(t.Context(), host)
		if want == "" {
			s.Wants(err, tenancy.ErrNoSite)
			continue
		}
		s.Must(err)
		s.Equal(host, got.Slug, want)
	}
	_, err = b.DB.Sites().BySlug(t.Context(), "one")
	s.Wants(err, tenancy.ErrNoSite)
	_, err = update("one", func(*tenancy.Site) {})
	s.Wants(err, tenancy.ErrNoSite)
	found(t, b, "one", "Another", "uno.example")
	list := notes(t, b)
	s.Equal("told", list[2], `site update uno {"slug": "one", "domains": ["one.example", "uno.example"]} {"slug": "uno", "domains": ["eins.example", "one.example"]}`)
	s.Equal("and nothing else", len(list), 4)
}

// A cluster that lost a server makes sites on the others, and says what plans there are.
func TestWithoutAServer(t *testing.T) {
	if !storagetest.OnCluster() {
		t.Skip("make test-citus runs it")
	}
	t.Parallel()
	b := sitetest.New(t)
	s := &sitetest.Site{TB: t}
	sites := func() (n int64) {
		list, err := b.DB.Plans().List(provider(t))
		s.Must(err)
		s.Equal("plans", len(list), 1)
		o, err := b.DB.Plans().Get(provider(t), tenancy.DefaultPlan)
		s.Must(err)
		s.Equal("alone as in the list", o.Sites, list[0].Sites)
		return o.Sites
	}
	for n := range 12 {
		found(t, b, fmt.Sprint("before", n), "Before")
	}
	s.Equal("all", sites(), int64(12))
	storagetest.Lose(t, b.URL)
	b.DB.Reset()
	kept := sites()
	if kept == 0 || kept == 12 {
		t.Errorf("%d of 12 sites are on the server that is left", kept)
	}
	for n := range 6 {
		found(t, b, fmt.Sprint("after", n), "After")
	}
	s.Equal("those on the server that is left", sites(), kept+6)
}

// A plan says who has it and grants all of them at once what it is changed to; nobody's version rises for nothing.
func TestPlans(t *testing.T) {
	t.Parallel()
	b := sitetest.New(t)
	plans, s := b.DB.Plans(), &sitetest.Site{TB: t}
	small := &tenancy.Plan{Name: "small", Limits: tenancy.Limits{Events: new(int64(5))}}
	made, err := plans.Set(provider(t), small, nil)
	s.Must(err)
	s.Equal("new", made, true)
	s.Refuses(plans.Create(provider(t), small), "name", "problem.plan.taken")
	found(t, b, "one", "One")
	two := found(t, b, "two", "Two")
	if _, err := b.DB.Sites().Update(provider(t), "one", func(s *tenancy.Site) error { s.Plan.Name = "small"; return nil }); err != nil {
		t.Fatal(err)
	}
	version := func(slug string) int64 {
		site, err := b.DB.Sites().BySlug(t.Context(), slug)
		s.Must(err)
		return site.Version
	}
	before := version("one")
	made, err = plans.Set(provider(t), small, nil)
	s.Must(err)
	s.Equal("the same", []any{made, version("one")}, []any{false, before})
	larger := &tenancy.Plan{Name: "small", RequestsPerMinute: 60, Limits: tenancy.Limits{Events: new(int64(9))}}
	stop := errors.New("changed meanwhile")
	_, err = plans.Set(provider(t), larger, func(int64) error { return stop })
	s.Wants(err, stop)
	s.Equal("refused", version("one"), before)
	_, err = plans.Set(provider(t), larger, func(mark int64) error {
		s.Equal("mark", mark, small.Mark())
		return nil
	})
	s.Must(err)
	s.Equal("raised", []int64{version("one"), version("two")}, []int64{before + 1, two.Version})
	site, err := b.DB.Sites().BySlug(t.Context(), "one")
	s.Must(err)
	s.Equal("granted", []any{*site.Plan.Events, site.Plan.RequestsPerMinute, site.Plan.Geo}, []any{int64(9), 60, false})
	o, err := plans.Get(provider(t), "small")
	s.Must(err)
	s.Equal("who has it", []any{o.Sites, o.Mark()}, []any{int64(1), larger.Mark()})
	_, err = plans.Delete(provider(t), "small", nil)
	s.Wants(err, platform.ErrPlanInUse)
	if _, err := b.DB.Sites().Update(provider(t), "one", func(s *tenancy.Site) error { s.Plan.Name = tenancy.DefaultPlan; return nil }); err != nil {
		t.Fatal(err)
	}
	_, err = plans.Delete(provider(t), "small", func(int64) error { return stop })
	s.Wants(err, stop)
	last, err := plans.Delete(provider(t), "small", nil)
	s.Must(err)
	s.Equal("what it was", last.Mark(), larger.Mark())
	for _, name := range []string{"small", "nowhere"} {
		_, err = plans.Get(provider(t), name)
		s.Wants(err, platform.ErrNoPlan)
		_, err = plans.Delete(provider(t), name, nil)
		s.Wants(err, platform.ErrNoPlan)
	}
	_, err = plans.Set(provider(t), &tenancy.Plan{Name: "new"}, func(mark int64) error {
		s.Equal("mark of none", mark, int64(tenancy.NoVersion))
		return stop
	})
	s.Wants(err, stop)
	_, err = plans.Get(provider(t), "new")
	s.Wants(err, platform.ErrNoPlan)
}

// A domain is its first prover's. Others that ask for it learn that it is lost; what is asked for too long is asked for no more.
func TestDomains(t *testing.T) {
	t.Parallel()
	b := sitetest.New(t)
	one, two := b.Site(t, "one"), b.Site(t, "two")
	domains := b.DB.Domains()
	since := sitetest.Noon.Add(-time.Hour)
	claim := func(s *sitetest.Site, name, token string, at time.Duration, most int) (platform.Domain, error) {
		return domains.Claim(s.Ctx, platform.Domain{Name: name, Token: token, Asked: sitetest.Noon.Add(at)}, since, most)
	}
	must := func(d platform.Domain, err error) string {
		t.Helper()
		one.Must(err)
		return d.Token
	}
	one.Equal("asked for", must(claim(one, "a.example", "t1", 0, 2)), "t1")
	one.Equal("again", must(claim(one, "a.example", "t9", time.Minute, 2)), "t1")
	one.Equal("by another", must(claim(two, "a.example", "t2", 0, 2)), "t2")
	one.Equal("a second", must(claim(one, "b.example", "t3", -2*time.Hour, 2)), "t3")
	one.Equal("which was too long ago", must(claim(one, "c.example", "t4", 0, 2)), "t4")
	_, err := claim(one, "d.example", "t5", 0, 2)
	one.Refuses(err, "domain", "problem.domain.many")
	one.Equal("one of the many, again", must(claim(one, "c.example", "t6", 0, 2)), "t4")
	one.Wants(domains.Prove(one.Ctx, "a.example", "t2", platform.ByDNS), platform.ErrNoDomain)
	one.Wants(domains.Prove(one.Ctx, "nowhere.example", "t1", platform.ByDNS), platform.ErrNoDomain)
	one.Must(domains.Prove(two.Ctx, "a.example", "t2", platform.ByHTTP))
	version := one.Rows(`SELECT version::text FROM sites WHERE id = $1`, one.ID)
	one.Refuses(domains.Prove(one.Ctx, "a.example", "t1", platform.ByDNS), "domain", "problem.domain.lost")
	one.Must(domains.Prove(two.Ctx, "a.example", "t2", platform.ByHTTP))
	one.Equal("no version for nothing", one.Rows(`SELECT version::text FROM sites WHERE id = $1`, one.ID), version)
	_, err = claim(two, "a.example", "t7", 0, 9)
	one.Refuses(err, "domain", "problem.domain.own")
	_, err = claim(one, "a.example", "t7", 0, 9)
	one.Refuses(err, "domain", "problem.domain.lost")
	states := func(s *sitetest.Site) (list []string) {
		found, err := domains.List(s.Ctx, since)
		one.Must(err)
		for _, d := range found {
			list = append(list, d.Name+" "+string(d.State())+" "+d.Token)
		}
		return list
	}
	one.Equal("of one", states(one), []string{"a.example lost t1", "c.example pending t4"})
	one.Equal("of the other", states(two), []string{"a.example proved "})
	one.Must(domains.Touch(one.Ctx, "c.example", sitetest.Noon.Add(time.Minute)))
	list, err := domains.List(one.Ctx, since)
	one.Must(err)
	one.Equal("looked for", list[1].Checked, sitetest.Noon.Add(time.Minute))
	one.Wants(domains.Remove(one.Ctx, "d.example"), platform.ErrNoDomain)
	one.Must(domains.Remove(two.Ctx, "a.example"))
	one.Equal("free again", states(one), []string{"a.example pending t1", "c.example pending t4"})
	one.Must(domains.Prove(one.Ctx, "a.example", "t1", platform.ByDNS))
	one.Must(domains.Remove(one.Ctx, "c.example"))
	one.Equal("left", states(one), []string{"a.example proved "})
	one.Equal("history", one.Rows(`SELECT before::text FROM changes WHERE kind = 'site' ORDER BY version`), []string{`{"domains": []}`})
}

// Tokens are the provider's: the newest first, last used at the latest moment, gone for good, each told.
func TestTokens(t *testing.T) {
	t.Parallel()
	b := sitetest.New(t)
	tokens, s := b.DB.Tokens(), &sitetest.Site{TB: t}
	one, two := &accounts.Token{Name: "one", Hash: []byte(fmt.Sprintf("%32d", 1))}, &accounts.Token{Name: "two", Hash: []byte(fmt.Sprintf("%32d", 2))}
	s.Must(tokens.Create(provider(t), one))
	s.Must(tokens.Create(provider(t), two))
	for _, at := range []time.Duration{time.Hour, time.Minute} {
		s.Must(tokens.Touch(t.Context(), map[int64]time.Time{one.ID: sitetest.Noon.Add(at), 999: sitetest.Noon}))
	}
	list, err := tokens.List(t.Context())
	s.Must(err)
	s.Equal("the newest first", []any{list[0].Name, list[0].LastUsed.IsZero(), list[1].Name, list[1].LastUsed, len(list)},
		[]any{"two", true, "one", sitetest.Noon.Add(time.Hour), 2})
	session := func(token int64, name string, at time.Duration) error {
		return b.DB.ProviderSessions().Create(t.Context(), &accounts.ProviderSession{Hash: []byte(fmt.Sprintf("%-32s", name)), TokenID: token, Name: name,
			Created: sitetest.Noon.Add(at), LastSeen: sitetest.Noon.Add(at), Expires: sitetest.Noon.Add(at + time.Hour)})
	}
	s.Must(session(one.ID, "one", 0))
	s.Must(session(0, "environment", 0))
	s.Must(tokens.Delete(provider(t), one.ID))
	s.Wants(tokens.Delete(provider(t), one.ID), accounts.ErrNoKey)
	s.Wants(session(one.ID, "late", 0), accounts.ErrNoKey)
	_, err = b.DB.ProviderSessions().Find(t.Context(), []byte(fmt.Sprintf("%-32s", "one")))
	s.Wants(err, accounts.ErrNoKey) // it ends with its token
	s.Must(session(0, "next", time.Hour))
	_, err = b.DB.ProviderSessions().Find(t.Context(), []byte(fmt.Sprintf("%-32s", "environment")))
	s.Wants(err, accounts.ErrNoKey) // over at its last moment
	s.Equal("told", notes(t, b), []string{`token create one - {"name": "one"}`, `token create two - {"name": "two"}`, "session sign_in one - -",
		"session sign_in environment - -", `token delete one {"name": "one"} -`, "session sign_in next - -"})
}

// A deleted site goes when its days are over, with everything it had, and leaves its names to others. Its files go first: without that nothing goes.
func TestPurge(t *testing.T) {
	t.Parallel()
	b := sitetest.New(t)
	site, other := b.Site(t, "one"), b.Site(t, "two")
	for _, s := range []*sitetest.Site{site, other} {
		s.Event("E", "publish", sitetest.At(s.Venue("V")))
		s.Exec(`INSERT INTO domains (domain, site_id) VALUES ($2, $1)`, s.ID, fmt.Sprintf("d%d.example", s.ID))
	}
	now := sitetest.Noon
	due := func(tried ...int64) int64 {
		id, err := b.DB.Sites().Due(provider(t), now, tried)
		site.Must(err)
		return id
	}
	files := func(err error) func(context.Context) error { return func(context.Context) error { return err } }
	site.Equal("none is deleted", due(), int64(0))
	slug, err := b.DB.Sites().Purge(provider(t), site.ID, now, files(nil))
	site.Must(err)
	site.Equal("one that isn't deleted", slug, "")
	_, err = b.DB.Sites().Update(provider(t), "one", func(s *tenancy.Site) error {
		s.State, s.Deletion = tenancy.Closed, tenancy.Deletion{At: now.Add(-time.Hour), Purge: now, Before: tenancy.Active}
		return nil
	})
	site.Must(err)
	site.Equal("due", []int64{due(), due(site.ID), due(other.ID)}, []int64{site.ID, 0, site.ID})
	stop := errors.New("stop")
	_, err = b.DB.Sites().Purge(provider(t), site.ID, now, files(stop))
	site.Wants(err, stop)
	site.Equal("nothing is gone", site.Rows(`SELECT title FROM events`), []string{"E"})
	slug, err = b.DB.Sites().Purge(provider(t), site.ID, now.Add(-1), files(nil))
	site.Must(err)
	site.Equal("before its time", slug, "")
	slug, err = b.DB.Sites().Purge(provider(t), site.ID, now, files(nil))
	site.Must(err)
	site.Equal("gone", []any{slug, due()}, []any{"one", int64(0)})
	slug, err = b.DB.Sites().Purge(provider(t), site.ID, now, files(nil))
	site.Must(err)
	site.Equal("once", slug, "")
	tables, err := b.DB.Across("a test looks at what is there").Query(t.Context(), `
		SELECT DISTINCT c.relname::text
		FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'site_id'
		WHERE c.relkind IN ('r', 'p')
		  AND c.relnamespace = 'public'::regnamespace`)
	site.Must(err)
	list, err := pgx.CollectRows(tables, pgx.RowTo[string])
	site.Must(err)
	for _, table := range list {
		if rows := site.Rows(`SELECT 'row' FROM `+table+` WHERE site_id = $1`, site.ID); len(rows) > 0 {
			t.Errorf("%d rows of %s are left", len(rows), table)
		}
	}
	site.Equal("another site's", other.Rows(`SELECT title FROM events`), []string{"E"})
	found(t, b, "one", "Again", fmt.Sprintf("d%d.example", site.ID))
	totals, overdue, err := store.Totals(t.Context(), b.DB.Engine())
	site.Must(err)
	site.Equal("totals", []any{totals, overdue}, []any{map[string]int{"active": 2, "read_only": 0, "closed": 0, "deleted": 0}, time.Duration(0)})
}
