package services

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/test/argstest"
)

// What can't be merged is refused before anything is read.
func TestMergingThatMakesNoSense(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		m    Merging
		want string
	}{
		"two":                          {Merging{Keep: 1, Others: []int64{2}}, ""},
		"with fields of either":        {Merging{Keep: 1, Others: []int64{2, 3}, Take: map[string]int64{"name": 3, "color": 1}}, ""},
		"nothing to keep":              {Merging{Others: []int64{2}}, "keep"},
		"with itself":                  {Merging{Keep: 2, Others: []int64{1, 2}}, "keep"},
		"nothing else":                 {Merging{Keep: 1}, "others"},
		"too many":                     {Merging{Keep: 100, Others: make([]int64, mostMerged+1)}, "others"},
		"the most":                     {Merging{Keep: 100, Others: make([]int64, mostMerged)}, ""},
		"a field of somebody else":     {Merging{Keep: 1, Others: []int64{2}, Take: map[string]int64{"name": 3}}, "take"},
		"a field that can't be chosen": {Merging{Keep: 1, Others: []int64{2}, Take: map[string]int64{"slug": 2}}, "take"},
	} {
		if got := strings.Join(argstest.Wrong(c.m.check(TermMerge)), " "); got != c.want {
			t.Errorf("%s: %q is wrong", name, got)
		}
	}
	seen := Merging{Seen: map[int64]int64{1: 5}}
	if seen.seen(1)(5) != nil || !errors.Is(seen.seen(1)(6), calendar.ErrPrecondition) || seen.seen(2)(6) != nil {
		t.Error("what has changed since it was seen is merged, or what has not isn't")
	}
	var term calendar.Term
	other := calendar.Term{Name: "N", Slug: "n", Color: "#112233", Description: "D", Parent: 3}
	for _, field := range TermMerge {
		takeOfTerm(&term, &other, field)
	}
	if term.Name != "N" || term.Color != "#112233" || term.Description != "D" || term.Slug != "" || term.Parent != 0 {
		t.Errorf("taken is %+v", term)
	}
}

// Rule 15.3: whose translations an item that is merged has, and which of them are outdated.
func TestTranslationsOfMerged(t *testing.T) {
	t.Parallel()
	of := func(texts map[string]translations.Text) calendar.Translated {
		return calendar.Translated{Texts: translations.Of(texts)}
	}
	chor := map[string]translations.Text{"de": {Title: "Chor"}}
	both := map[string]translations.Text{"de": {Title: "Kapelle"}, "fr": {Title: "Chorale"}, "it": {Title: "Coro", Outdated: true}}
	for _, same := range []bool{true, false} {
		keep, other := of(chor), of(both)
		keep.Inherit(&other, translations.Text{}, same)
		all := keep.Texts.All()
		if len(all) != 3 || all["de"].Title != "Chor" || all["de"].Outdated || all["fr"].Title != "Chorale" || all["fr"].Outdated == same || !all["it"].Outdated {
			t.Errorf("of the same text, %t: %+v", same, all)
		}
	}
	none := calendar.Translated{}
	if none.Inherit(&calendar.Translated{}, translations.Text{}, true); !none.Texts.None() {
		t.Error("two without translations have some")
	}
	was := translations.Text{Title: "Choir"}
	keep := of(chor)
	if keep.Outdate(was, was); keep.Texts.All()["de"].Outdated {
		t.Error("a text that stays is outdated")
	}
	if keep.Outdate(was, translations.Text{Title: "Band"}); !keep.Texts.All()["de"].Outdated {
		t.Error("one whose original has changed isn't")
	}
}

// Terms may be the same that have the same name, whatever the case.
func TestTwinTerms(t *testing.T) {
	t.Parallel()
	terms := TwinTerms([]*calendar.Term{{ID: 1, Name: "Jazz"}, {ID: 2, Name: "Rock"}, {ID: 3, Name: "rock"}, {ID: 4, Name: "JAZZ"}})
	if len(terms) != 2 || terms[0][0].ID != 1 || terms[0][1].ID != 4 || terms[1][0].ID != 2 {
		t.Errorf("%v", terms)
	}
}

// What is typed finds first what is called so, then what begins with it, then what has a word that does.
func TestSuggestions(t *testing.T) {
	t.Parallel()
	var found []*calendar.Venue
	for _, name := range []string{"Great jazz", "Jazzy", "The best", "Ajazz", "Jazz", "Jazz bar", "Bar (Jazz)", "Zoo-Jazz"} {
		found = append(found, &calendar.Venue{Name: name})
	}
	var got []string
	for _, v := range calendar.Likeliest(found, " JÁZZ ", 7, calendar.VenueKind.Names) {
		got = append(got, v.Name)
	}
	want := []string{"Jazz", "Jazz bar", "Jazzy", "Bar (Jazz)", "Great jazz", "Zoo-Jazz", "Ajazz"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if few := calendar.Likeliest(found[:2], "x", 7, calendar.VenueKind.Names); len(few) != 2 {
		t.Errorf("%d of two", len(few))
	}
}
