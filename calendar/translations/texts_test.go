package translations

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// No texts are stored as nothing, and are known without being parsed.
func TestNoTexts(t *testing.T) {
	t.Parallel()
	for name, none := range map[string]Texts{"zero": {}, "of none": Of(nil), "of an empty map": Of(map[string]Text{}), "stored": Stored(nil, nil)} {
		if !none.None() || none.Raw() != nil || len(none.All()) != 0 || none.Languages() != nil || !none.Equal(Texts{}) || !none.Stamped(3).None() {
			t.Errorf("%s: %+v", name, none)
		}
	}
	if Of(stored()).Equal(Texts{}) || (Texts{}).Equal(Of(stored())) {
		t.Error("texts equal none")
	}
}

// Texts return from their stored form as they were, also where only one language was read.
func TestStoredTexts(t *testing.T) {
	t.Parallel()
	all := Of(stored())
	back := Stored(all.Raw(), nil)
	if diff := cmp.Diff(stored(), back.All()); diff != "" || !back.Equal(all) {
		t.Error(diff)
	}
	if got := back.Languages(); !slices.Equal(got, []string{"de", "fr"}) {
		t.Errorf("languages are %q", got)
	}
	one := StoredIn("de", []byte(`{"title": "Chor", "slug": "chor"}`), []string{"de", "fr"})
	if want := map[string]Text{"de": {Title: "Chor", Slug: "chor"}}; !cmp.Equal(one.All(), want) {
		t.Errorf("a single language is read as %+v", one.All())
	}
	if got := one.Languages(); !slices.Equal(got, []string{"de", "fr"}) {
		t.Errorf("the languages of one that is read alone are %q", got)
	}
}

// New texts get the version of their site; the others keep theirs.
func TestStamped(t *testing.T) {
	t.Parallel()
	all := stored()
	all["it"] = Text{Title: "Coro"}
	got := Of(all).Stamped(12).All()
	if got["it"].Version != 12 || got["de"].Version != 7 || got["fr"].Version != 8 || !got["fr"].Outdated {
		t.Errorf("%+v", got)
	}
}

// An import finds an item again by its texts: those that it has must be there, whatever else is.
func TestContain(t *testing.T) {
	t.Parallel()
	in := func(text Text) Texts { return Of(map[string]Text{"de": text}) }
	for _, c := range []struct {
		name   string
		others Texts
		want   bool
	}{
		{"nothing", Texts{}, true},
		{"the same", Of(stored()), true},
		{"only one language", in(stored()["de"]), true},
		{"the title in capitals", in(Text{Title: "CHOR", Slug: "chor"}), true},
		{"another title", in(Text{Title: "Orchester", Slug: "chor"}), false},
		{"another description", in(Text{Title: "Chor", Slug: "chor", Description: "<p>Stücke</p>"}), false},
		{"an excerpt that isn't there", in(Text{Title: "Chor", Slug: "chor", Excerpt: "Kurz"}), false},
		{"another slug", in(Text{Title: "Chor", Slug: "orchester"}), false},
		{"a language that isn't there", Of(map[string]Text{"it": {Title: "Coro", Slug: "coro"}}), false},
	} {
		if got := Of(stored()).Contain(c.others); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	numbered := stored()
	numbered["de"] = Text{Title: "Chor", Slug: "chor-2"}
	if !Of(numbered).Contain(in(Text{Title: "Chor", Slug: "chor"})) {
		t.Error("a slug with a number isn't found")
	}
	if Of(numbered).Contain(in(Text{Title: "Chor", Slug: "ch"})) {
		t.Error("a slug is found by its beginning")
	}
}

// Texts that many items share are parsed once, and every item knows their languages.
func TestReaderOfMany(t *testing.T) {
	t.Parallel()
	raw := Of(stored()).Raw()
	r := NewReader()
	first, second := Stored(raw, nil), Stored(raw, nil)
	a, b := r.Of(&first), r.Of(&second)
	if len(a) != 2 || &a[0] != &b[0] {
		t.Errorf("read as %+v and %+v", a, b)
	}
	for _, one := range []Texts{first, second} {
		if got := one.Languages(); !slices.Equal(got, []string{"de", "fr"}) {
			t.Errorf("languages are %q", got)
		}
	}
	named := Stored(raw, []string{"fr"})
	if r.Of(&named); !slices.Equal(named.Languages(), []string{"fr"}) {
		t.Errorf("languages that were known became %q", named.Languages())
	}
	var none Texts
	if got := r.Of(&none); got != nil || none.Languages() != nil {
		t.Errorf("no texts are %+v in %q", got, none.Languages())
	}
	one := StoredIn("de", []byte(`{"title": "Chor"}`), []string{"de"})
	other := one
	if x, y := NewReader().Of(&one), NewReader().Of(&other); len(x) != 1 || &x[0] != &y[0] {
		t.Errorf("one that is shared is parsed twice: %+v, %+v", x, y)
	}
}
