package i18n_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/i18n"
)

func itself(name string) string { return name }

// Names are sorted as in dictionaries.
func TestInOrder(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{
		"en":      "Aero Älg apple Ore Örebro Zoo",
		"de":      "Abend Äpfel Apfelmus Ober Öl Saal 2 Saal 10 Strasse Straße Zoo",
		"sv":      "Aero Ore Zoo Åbo Älg Örebro",
		"da":      "Aero Zoo Ærø Ørsted Åbo",
		"cs":      "cena čaj hora chata išt",
		"pl":      "lato ława most żaba",
		"es":      "nube ñandú ola",
		"tr":      "ılgaz inci ok öykü",
		"uk":      "гора ґанок дім єдність жито",
		"fa":      "آب پارک چای گل یاد",
		"ja":      "あき いけ 一 東京",
		"zh-Hans": "北京 上海 重庆",
	} {
		list := strings.Split(want, " ")
		sorted := slices.Clone(list)
		slices.Reverse(sorted)
		i18n.InOrder(language, sorted, itself)
		if !slices.Equal(sorted, list) {
			t.Errorf("%s: %q, want %q", language, sorted, list)
		}
	}
}

func BenchmarkInOrder(b *testing.B) {
	names := make([]string, 1000)
	for i := range names {
		names[i] = string(rune('a'+i*7%26)) + "öhalle " + strings.Repeat("x", i%9) + string(rune('а'+i*11%30))
	}
	for _, n := range []int{10, 100, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				i18n.InOrder("sv", slices.Clone(names[:n]), itself)
			}
		})
	}
}
