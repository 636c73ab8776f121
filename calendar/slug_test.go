package calendar

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestSlug(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, lang, want string }{
		{"New Slug Ünïcode", "en", "new-slug-unicode"},
		{"New Slug Ünïcode", "de", "new-slug-unicode"},
		{"Beta & <b>bold</b> ü", "en", "beta-bold-u"},
		{"Beta &amp; gamma", "en", "beta-gamma"},
		{"Caf&eacute; Größe", "de", "cafe-grose"},
		{"Ærø Œuvre Łódź Đà Nẵng ÞÐ", "da", "aero-oeuvre-lodz-da-nang-thd"},
		{"İstanbul ışık", "tr", "istanbul-isik"},
		{"Don't stop the rock’n’roll", "en", "dont-stop-the-rocknroll"},
		{"a.b/c\\d", "en", "a-b-c-d"},
		{"Price: 10.50 € (half)", "en", "price-10-50-half"},
		{"10% & more!", "en", "10-more"},
		{"my_slug", "en", "my_slug"},
		{"2027", "en", "2027"},
		{"  --Same--Title-2-- ", "en", "same-title-2"},
		{"Καλημέρα κόσμε", "el", "kalimera-kosme"},
		{"Καλημέρα κόσμε", "el-GR", "kalimera-kosme"},
		{"Большой театр", "ru", "bolshoi-teatr"},
		{"София ъгъл", "bg", "sofiya-agal"},
		{"東京 マラソン", "ja", "東京-マラソン"},
		{"Ｔｏｋｙｏ ①", "ja", "tokyo-1"},
		{"مهرجان الموسيقى", "ar", "مهرجان-الموسيقى"},
		{"חג שמח!", "he", "חג-שמח"},
		{"งานวัด", "th", "งานวัด"},
		{"संगीत समारोह", "hi", "संगीत-समारोह"},
		{"한국", "ko", "한국"},
		{"../../etc/passwd", "en", "etc-passwd"},
		{"a\x00b\nc\u202ed", "en", "a-b-cd"},
		{"!!! ???", "en", ""},
		{"___", "en", ""},
		{"🎉🎉", "en", ""},
		{"", "en", ""},
		{"x" + strings.Repeat("é", 300), "fr", "x" + strings.Repeat("e", 199)},
		{strings.Repeat("東", 70), "ja", strings.Repeat("東", 66)},
		{strings.Repeat("a", 199) + " b", "en", strings.Repeat("a", 199)},
	}
	for _, test := range tests {
		if got := Slug(test.text, test.lang); got != test.want {
			t.Errorf("%q (%s): got %q, want %q", test.text, test.lang, got, test.want)
		}
	}
}

func TestSlugSuffix(t *testing.T) {
	t.Parallel()
	tests := []struct {
		base string
		n    int
		want string
	}{
		{"same-title", 2, "same-title-2"},
		{"same-title-2", 2, "same-title-2-2"},
		{strings.Repeat("a", 200), 10, strings.Repeat("a", 197) + "-10"},
		{strings.Repeat("a", 197) + "-b", 2, strings.Repeat("a", 197) + "-2"},
		{strings.Repeat("東", 66), 2, strings.Repeat("東", 66) + "-2"},
		{strings.Repeat("東", 66), 123, strings.Repeat("東", 65) + "-123"},
		{"", 2, "2"},
	}
	for _, test := range tests {
		if got := SlugSuffix(test.base, test.n); got != test.want {
			t.Errorf("%q: got %q, want %q", test.base, got, test.want)
		}
	}
}

func FuzzSlug(f *testing.F) {
	for _, seed := range []string{"New Slug Ünïcode", "../x", "a\x00b", "東京 &lt;b&gt;", "Большой ʻa", "xn--", "ﬁ½İ", "\u0301a", "ㅎㅏ\u200dㄴ", "<b"} {
		f.Add(seed, "el")
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		s := Slug(text, lang)
		if again := Slug(s, lang); again != s {
			t.Fatalf("%q: %q, then %q", text, s, again)
		}
		if len(s) > maxSlug || !utf8.ValidString(s) || !norm.NFC.IsNormalString(s) || strings.Contains(s, "--") {
			t.Fatalf("%q: %q", text, s)
		}
		if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '/' || r == '\\' || r == '.' || r == ' ' || r == 0x7f }) {
			t.Fatalf("%q: %q is no part of an address", text, s)
		}
		if next := SlugSuffix(s, 2); len(next) > maxSlug || Slug(next, lang) != next {
			t.Fatalf("%q: variant %q", text, next)
		}
	})
}

func BenchmarkSlug(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Slug("New Slug Ünïcode & <b>more</b>", "en")
	}
}
