package wording

import (
	"strings"
	"testing"
)

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
	v.Event(v.Add("EuroRust"), v.Add("Cologne"))
	v.Event(v.Add("Devoxx"), v.Add("Saint Petersburg"))
	v.Event(v.Add("DevOps RubyConf"), v.Add("Київ"))
	v.Event(v.Add("QuBit Convention"), v.Add("Edinburgh"))
	v.Event(v.Add("HighLoad"), v.Add("London"))
	v.Event(v.Add("Palo Design"), v.Add("Malmö"))
	v.Event(v.Add("Palo Summer"))
	v.Event(v.Add("Театр ляльок"), v.Add("Αθήνα"))
	v.Event(v.Add("Handycon QCon"), v.Add("Esch-sur-Alzette"))
	v.Event(v.Add("Do iOS"), v.Add("Texas"))
	v.Event(v.Add("betterCode PHP 8"), v.Add("São Paulo"))
	v.Event(v.Add("Lithub"), v.Add("vamp_io"))
	v.Event(v.Add("Days of ORT"))
	v.Event(v.Add("Fortaleza"))
	v.Event(v.Add("Circles"), v.Add("Fort Worth"))
	for _, c := range []struct {
		words []string
		stems []string
		want  string
	}{
		{[]string{"rytmus"}, nil, "Rhythmus"}, {[]string{"sikologie"}, nil, "Psychologie"}, {[]string{"gluecks"}, nil, "Glücks"}, {[]string{"filmclub"}, nil, "Film Club"},
		{[]string{"film-klub"}, nil, "Film Club"}, {[]string{"weizäcker"}, nil, "Weizsäcker"}, {[]string{"metropolsi"}, nil, "Metropolis"},
		{[]string{"rescue", "first", "adi"}, nil, "First Aid"}, {[]string{"film", "riverside", "comunity"}, nil, "film riverside Community"},
		{[]string{"psychologie", "fur", "alle"}, []string{"", StopWord, StopWord}, "psychologie"}, {[]string{"xylophone"}, nil, ""},
		// sounds, a part that is said twice and written once, cities in other languages, other alphabets
		{[]string{"devoks"}, nil, "Devox"}, {[]string{"eurust"}, nil, "EuroRust"}, {[]string{"koln"}, nil, "Cologne"}, {[]string{"koeln"}, nil, "Cologne"},
		{[]string{"sankt", "peterburg"}, nil, "Saint Petersburg"}, {[]string{"kiew"}, nil, "Київ"}, {[]string{"кельн"}, nil, "Cologne"},
		{[]string{"рубиконф"}, nil, "RubyConf"}, {[]string{"teatr"}, nil, "Театр"}, {[]string{"athen"}, nil, "Αθήνα"}, {[]string{"lialok"}, nil, "ляльок"},
		// letters that look alike, words with hyphens, short words, versions, the two letters of q, names of several words
		{[]string{"dеvохх"}, nil, "Devoxx"}, {[]string{"ρalо", "dеsign"}, nil, "Palo Design"}, {[]string{"esch-dur-alzette"}, nil, "Esch sur Alzette"},
		{[]string{"vpm_io"}, nil, "vamp io"}, {[]string{"do", "ois"}, nil, "Do iOS"}, {[]string{"texs"}, []string{"tex"}, "Texas"}, {[]string{"kwcon"}, nil, "QCon"},
		{[]string{"bettecrode", "php", "8"}, nil, "betterCode PHP 8"}, {[]string{"san", "paolo"}, nil, "São Paulo"}, {[]string{"fott", "orth"}, nil, "Fort orth"},
		// the first letter is right more often than others
		{[]string{"malo"}, nil, "Malmö"},
		// sounds of several letters, the keyboard of another alphabet
		{[]string{"metroppolys"}, nil, "Metropolis"}, {[]string{"kwbyt"}, nil, "QuBit"}, {[]string{Fold("хайлоад")}, nil, "HighLoad"},
		{[]string{"edinborough"}, nil, "Edinburgh"}, {[]string{"konvenshun"}, nil, "Convention"}, {[]string{"вумщчч"}, nil, "Devoxx"}, {[]string{"kzkmjr"}, nil, "ляльок"}, {[]string{"ыфште", "зуеукыигкп"}, nil, "Saint Petersburg"}, {[]string{"لندن"}, nil, "London"},
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

// Every city has at least two names, and no name means two cities.
func TestCities(t *testing.T) {
	t.Parallel()
	of := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(cities)) {
		names := strings.Fields(line)
		if len(names) < 2 {
			t.Errorf("%q is one name", line)
		}
		for _, name := range names {
			folded := strings.ReplaceAll(Fold(name), "-", "")
			if other := of[folded]; other != "" && other != names[0] {
				t.Errorf("%s is %s and %s", name, other, names[0])
			}
			of[folded] = names[0]
		}
	}
}
