package wording

import "testing"

// What was probably meant are words that are written or sound alike, and that an event has together.
func TestGuesses(t *testing.T) {
	t.Parallel()
	v := NewVocabulary()
	hall := v.Add("Riverside Community Centre")
	v.Event(v.Add("Rhythmus der Welt"), hall, v.Describe("Professor Weizsäcker drums on 12 barrels"))
	v.Event(v.Add("Psychologie des Glücks"))
	v.Event(v.Add("Film Club: Metropolis"), hall)
	v.Event(v.Add("First Aid Course"), hall)
	v.Event(v.Add("Adventure Film Fest"))
	for _, c := range []struct {
		words []string
		stems []string
		want  string
	}{
		{[]string{"rytmus"}, nil, "Rhythmus"}, {[]string{"sikologie"}, nil, "Psychologie"}, {[]string{"gluecks"}, nil, "Glücks"}, {[]string{"filmclub"}, nil, "Film Club"},
		{[]string{"film-klub"}, nil, "Film Club"}, {[]string{"weizäcker"}, nil, "Weizsäcker"}, {[]string{"metropolsi"}, nil, "Metropolis"},
		{[]string{"rescue", "first", "adi"}, nil, "First Aid"}, {[]string{"film", "riverside", "comunity"}, nil, "film riverside Community"},
		{[]string{"psychologie", "fur", "alle"}, []string{"", StopWord, StopWord}, "psychologie"}, {[]string{"xylophone"}, nil, ""},
	} {
		got := ""
		if list := v.Guesses(c.words, c.stems, 1); len(list) > 0 {
			got = list[0].Text
		}
		if Fold(got) != Fold(c.want) {
			t.Errorf("%q becomes %q, want %q", c.words, got, c.want)
		}
	}
	if v.Size() < 1000 {
		t.Errorf("the vocabulary takes %d bytes", v.Size())
	}
}
