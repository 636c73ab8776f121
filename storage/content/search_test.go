package content

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
)

// Searches look through one line for each field, folded, with single blanks, and nothing that is typed ends a line or stands for a language.
func TestSearchLines(t *testing.T) {
	t.Parallel()
	for want, fields := range map[string][]string{
		"":                                 {"", " ", "\n"},
		"cafe sud\nbonn\nsued":             {" Café\n\tSüd ", "", "BONN"},
		"aarhus\narhus jorg\naarhus joerg": {"Aarhus", "Århus Jörg"},
		"a b":                              {"a\x02b"},
		"a de b":                           {"a\n\x02de\nb"},
		"strasse":                          {"Straße"},
		"a b c":                            {"a\u00a0b\u2003c"},
		"100% a_b\\c":                      {`100% a_b\c`},
	} {
		if got := SearchLines(fields...); got != want {
			t.Errorf("%q: %q, want %q", fields, got, want)
		}
	}
	texts := translations.Of(map[string]translations.Text{
		"fr": {Title: "Été", Description: "<p>à <b>deux</b></p>", Excerpt: "court"},
		"de": {Description: "<p>nur\n\x02fr das</p>"},
	})
	if got, want := WithTexts("own", texts), "own\n\x02de\n\nnur fr das\n\x02fr\nete\na deux\ncourt"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := WithTexts("own", translations.Texts{}); got != "own" {
		t.Errorf("without texts: %q", got)
	}
}

// A word means itself, whatever signs of patterns it has.
func TestPatterns(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"": "%%", "a": "%a%", "100%": `%100\%%`, "a_b": `%a\_b%`, `a\b`: `%a\\b%`, "two words": "%two words%"} {
		if got := Pattern(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := Patterns([]string{" a \n b ", "c%"}); cmp.Diff([]string{"%a b%", `%c\%%`}, got) != "" {
		t.Errorf("%q", got)
	}
	if got := Patterns(nil); got == nil || len(got) != 0 { // an empty list is no condition, NULL would be one
		t.Errorf("%#v", got)
	}
}

// Pages are numbered from 1; what comes before the first is the first.
func TestOffset(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		page, per int
		want      int64
	}{{1, 15, 0}, {2, 15, 15}, {0, 15, 0}, {-3, 15, 0}, {1_000_000_000, 50, 49_999_999_950}} {
		if got := Offset(c.page, c.per); got != c.want {
			t.Errorf("page %d of %d: %d", c.page, c.per, got)
		}
	}
}

// What Postgres refuses becomes what people are told: a value that is wrong, a database that is away, a disk that is full.
// Anything else stays as it is, for the log.
func TestFailure(t *testing.T) {
	t.Parallel()
	if Failure(nil) != nil {
		t.Error("an error of none")
	}
	for code, want := range map[string]error{
		"53100": syscall.ENOSPC, "53300": calendar.ErrUnavailable, "57P01": calendar.ErrUnavailable, "57014": calendar.ErrUnavailable,
		"58030": calendar.ErrUnavailable, "08006": calendar.ErrUnavailable, "25006": calendar.ErrUnavailable,
	} {
		said := &pgconn.PgError{Code: code}
		if err := Failure(fmt.Errorf("list: %w", said)); !errors.Is(err, want) || !errors.As(err, new(*pgconn.PgError)) {
			t.Errorf("%s: %v, want %v", code, err, want)
		}
	}
	if err := Failure(&pgconn.PgError{Code: "53100"}); errors.Is(err, calendar.ErrUnavailable) {
		t.Errorf("who has no disk left is told to try again: %v", err)
	}
	for _, code := range []string{"23505", "23503", "42601", "XX000", "22001"} {
		said := &pgconn.PgError{Code: code, ConstraintName: "another_key"}
		if err := Failure(said); !errors.Is(err, said) || errors.Is(err, calendar.ErrUnavailable) || errors.As(err, new(*args.Problems)) {
			t.Errorf("%s: %v", code, err)
		}
	}
	none := Failure(fmt.Errorf("get: %w", pgx.ErrNoRows))
	if !errors.Is(none, calendar.ErrNotFound) || !errors.Is(none, pgx.ErrNoRows) {
		t.Errorf("no rows: %v", none)
	}
	other := errors.New("other")
	if err := Failure(other); !errors.Is(err, other) || err.Error() != "other" {
		t.Errorf("%v", err)
	}
	var found *args.Problems
	err := Failure(&pgconn.PgError{Code: "23505", ConstraintName: "domains_pkey", Detail: "Schlüssel »(domain)=(a.example)« existiert bereits."})
	if !errors.As(err, &found) || found.Broken()[0].Arg != "domains" || found.Broken()[0].Data["Domain"] != "a.example" {
		t.Errorf("a domain: %v", err)
	}
	if got := brokenValue(&pgconn.PgError{Detail: "nothing of the kind"}); got != "" {
		t.Errorf("%q", got)
	}
}

// Each refusal is about a constraint that the database has, or that the trigger of sites names: one that is renamed would be an error of the
// server.
func TestRefusalsAreOfConstraints(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for name := range refusals {
		var there bool
		k.must(pg.Ask(t.Context(), k.url, "a test looks at what is there", `
			SELECT EXISTS (SELECT FROM pg_constraint WHERE conname = '`+name+`')
			    OR EXISTS (SELECT FROM pg_class WHERE relname = '`+name+`' AND relkind IN ('i', 'I'))
			    OR EXISTS (SELECT FROM pg_proc
			               WHERE proname = 'check_site'
			                 AND strpos(prosrc, 'THEN ' || quote_literal(substring('`+name+`' FROM '^sites_(.*)_check$'))) > 0)`, &there))
		if !there {
			t.Errorf("there is no %s", name)
		}
	}
}

// The history keeps an entry's fields by the names of their arguments, nothing where there is nothing, and moments in UTC.
func TestPostDocument(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("", 3600)
	p := &calendar.Post{ID: 7, Author: 3, Status: calendar.Publish, Slug: "a", Dated: true, Date: time.Date(2027, 3, 1, 13, 0, 0, 0, berlin),
		Image: &calendar.Image{ID: 9, File: "a.png"}}
	p.Texts = translations.Of(map[string]translations.Text{"de": {Title: "T", Slug: "t", Version: 4}})
	read := func(d pg.Document) (m map[string]any) {
		t.Helper()
		if err := json.Unmarshal([]byte(*d.Text()), &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	want := map[string]any{"author": 3., "status": "publish", "slug": "a", "date": "2027-03-01T12:00:00Z", "image": map[string]any{"id": 9., "name": "a.png"},
		"translations": map[string]any{"de": map[string]any{"venue": "T", "description": "", "excerpt": "", "slug": "t", "cost": []any{},
			"seo_title": "", "seo_description": "", "outdated": false}}}
	if diff := cmp.Diff(want, read(PostDocument(p, "venue"))); diff != "" {
		t.Error(diff)
	}
	want = map[string]any{"author": nil, "status": "draft", "slug": "", "date": nil, "image": nil, "translations": nil}
	if diff := cmp.Diff(want, read(PostDocument(&calendar.Post{Status: calendar.Draft, Date: p.Date}, "venue"))); diff != "" {
		t.Error(diff)
	}
	if list := NamesOf([]calendar.Term(nil), func(*calendar.Term) (int64, string) { return 0, "" }); list == nil || len(list) != 0 {
		t.Errorf("names of none: %#v", list)
	}
	usage := PictureUsage(&calendar.Image{Bytes: 10, Sizes: []calendar.ImageSize{{Bytes: 2}, {Bytes: 3}}}, -1)
	if usage.MediaBytes != -15 || usage.Events != 0 {
		t.Errorf("%+v", usage)
	}
	if NullID(0) != nil || *NullID(5) != 5 || NullText("") != nil || *NullText("a") != "a" || IDOrNil(0) != nil || IDOrNil(5) != int64(5) {
		t.Error("nothing is something, or something nothing")
	}
}

// Slugs of an import come from memory: what is handed out once is taken, by entries and by their texts, and kinds have their own.
func TestSlugsOfImports(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.tag([]string{"jazz", "jazz-2", "blues"})
	k.exec(`INSERT INTO translated_slugs (site_id, kind, slug, language, id) VALUES ($1, 'tag', 'swing', 'de', 1001)`)
	long := strings.Repeat("a", 200)
	for _, expected := range []bool{false, true} {
		var got []string
		k.must(k.db.Write(k.ctx, func(ctx context.Context, t *Tx) error {
			t.Slugs = NewSlugs()
			bases := []string{"jazz", "jazz", "blues", "blues", "swing", "new", "new", "new-2", "", "5", long, long}
			if expected {
				for _, base := range bases {
					t.Slugs.Expect("tag", base)
				}
				b := &pgx.Batch{}
				t.Slugs.Queue(b, t.Site)
				if err := t.Send(ctx, b); err != nil {
					return err
				}
			}
			for n, base := range bases {
				slug, err := t.FreeSlug(ctx, "tag", int64(-n), base)
				if err != nil {
					return err
				}
				got = append(got, slug)
			}
			t.Slugs.markTranslated("tag", "text")
			for _, text := range []string{"text", "jazz", "free"} {
				got = append(got, t.Slugs.unusedInImport("tag", text))
			}
			category, err := t.FreeSlug(ctx, "category", 0, "jazz")
			got = append(got, category)
			return err
		}))
		want := []string{"jazz-3", "jazz-4", "blues-2", "blues-3", "swing-2", "new", "new-2", "new-2-2", "-8", "5", long, long[:198] + "-2",
			"text-2", "jazz-5", "free", "jazz"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("expected %v: %s", expected, diff)
		}
	}
	if slug := (*Slugs)(nil).unusedInImport("tag", "jazz"); slug != "jazz" {
		t.Errorf("outside of imports: %s", slug)
	}
}
