package i18n

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("xx-", 100000)
	for _, c := range []struct{ header, fallback, want string }{
		{"", "de", "de"},
		{"", "", "en"},
		{"", "tlh", "tlh"}, {"", "", "en"},
		{"de", "en", "de"},
		{"DE", "en", "de"},
		{"de-AT", "en", "de"},
		{"de-CH,de;q=0.9,en;q=0.5", "en", "de"},
		{"en-US,en;q=0.9", "de", "en"},
		{"fr-CA;q=0.3, es-MX;q=0.8", "en", "es"},
		{"en;q=0.2,ja;q=0.9", "en", "ja"},
		{"ar-EG", "en", "ar"},
		{"th", "de", "de"},
		{"th-TH,th;q=0.9", "fr", "fr"},
		{"th, de;q=0.1", "fr", "de"},
		{"de;q=0, fr;q=0.5", "en", "fr"},
		{"de;q=0", "en", "en"},
		{"*", "ja", "ja"},
		{"fr;q=0.5,*;q=0.1", "ja", "fr"},
		{"ja;q=1.5", "en", "ja"},
		{"ja;q=x, fr", "en", "fr"},
		{"???, fr", "en", "fr"},
		{",,;;==,de", "en", "de"},
		{"\x00\xff\xfe", "de", "de"},
		{"<script>alert(1)</script>", "de", "de"},
		{"../../etc/passwd", "de", "de"},
		{long, "de", "de"},
		{"fr," + long, "de", "fr"},
		{strings.Repeat("th,", 90) + "fr", "de", "de"},
		{strings.Repeat("-", 100000), "de", "de"},
		{strings.Repeat(",", 100000), "de", "de"},
	} {
		if got := Match(c.header, c.fallback); got != c.want {
			t.Errorf("Match(%.60q, %q) = %q, want %q", c.header, c.fallback, got, c.want)
		}
		if got := Match(c.header, c.fallback); got != c.want {
			t.Errorf("Match(%.60q, %q) remembered = %q, want %q", c.header, c.fallback, got, c.want)
		}
	}
}

func TestMatchKeepsNothingOfTheCaller(t *testing.T) {
	t.Parallel()
	buffer := []byte("fr-BE;q=0.7")
	if got := Match(string(buffer), "en"); got != "fr" {
		t.Fatalf("got %q", got)
	}
	copy(buffer, "ja-JP;q=0.7")
	if got := Match(string(buffer), "en"); got != "ja" {
		t.Errorf("got %q", got)
	}
}

func TestMatchRemembersABoundedNumber(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range mostHeaders {
				Match(fmt.Sprintf("fr;q=0.%d%d", worker, i), "en")
			}
		})
	}
	all.Wait()
	answers.RLock()
	defer answers.RUnlock()
	if n := len(answers.byHeader); n > mostHeaders {
		t.Errorf("%d headers remembered", n)
	}
}

func FuzzMatch(f *testing.F) {
	for _, seed := range []string{"de", "de-AT;q=0.5,*", "i-klingon", "x-private", "en-u-ca-buddhist", ";q="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if got := Match(header, "de"); !Supported(got) {
			t.Errorf("Match(%q) = %q", header, got)
		}
	})
}

func TestMatchAmong(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{"": "de", "fr": "de", "fr, en;q=0.5": "en", "fr, ar;q=0.9, de;q=0.1": "de", "de-AT": "de", "en-GB,de": "en"} {
		for range 2 { // the second time from memory
			if got := MatchAmong(header, "de", []string{"en", "de"}); got != want {
				t.Errorf("%q: %s, want %s", header, got, want)
			}
		}
	}
	if got := Match("fr, en;q=0.5", "de"); got != "fr" {
		t.Errorf("among all: %s", got)
	}
}

// Deprecated and regional tags select the intended language.
func TestMatchOfScriptsAndRegions(t *testing.T) {
	t.Parallel()
	tags := []string{"en", "da", "he", "id", "pt-BR", "sv", "zh-Hans"}
	for header, want := range map[string]string{
		"pt": "pt-BR", "pt-PT": "pt-BR", "PT-br": "pt-BR", "zh": "zh-Hans", "zh-CN": "zh-Hans", "zh-SG, en": "zh-Hans", "zh-TW": "zh-Hans",
		"iw": "he", "in": "id", "da-GL": "da", "nb": "en", "no, sv;q=0.5": "sv", "nn-NO, nb;q=0.9": "en", "sv-FI": "sv",
	} {
		if got := MatchAmong(header, "en", tags); got != want {
			t.Errorf("%s: %s, want %s", header, got, want)
		}
	}
	if got := MatchAmong("nb", "en", []string{"en", "da", "nb"}); got != "nb" {
		t.Errorf("with Norwegian there: %s", got)
	}
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{"DE": "de", "de": "de", "de-AT": "", "": "", "tlh": ""} {
		if got := Canonical(written); got != want {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
	}
	all, err := load(fstest.MapFS{"en.json": {}, "pt-BR.json": {}, "zh-Hans.json": {}})
	if err != nil || all.byFold["pt-br"] != "pt-BR" || all.byFold["zh-hans"] != "zh-Hans" {
		t.Errorf("%v, %v", all, err)
	}
}
