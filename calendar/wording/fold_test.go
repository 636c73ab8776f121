package wording

import (
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                 "",
		"Jazz & Wine 2027": "jazz & wine 2027",
		"Straße GROẞ":      "strasse gross",
		"Ærø Łódź Đà Nẵng": "aero lodz da nang",
		"Café cafe\u0301":  "cafe cafe",
		"ﬁne ½ ｆｕｌｌ":       "fine 1⁄2 full",
		"İSTANBUL ısı":     "istanbul isi",
		"Ὀδυσσεύς ΣΟΦΟΣ":   "οδυσσευσ σοφοσ",
		"Чайко́вский Ёлка": "чаиковскии елка",
		"한국":               "한국",
		"東京　タワー":           "東京 タワー",
		"パリ バリ がき":         "パリ バリ がき",
		"ﾊﾞｯﾊ":             "バッハ",
		"کتاب\u200cهای فارسی ۱۴۰۵": "كتابهاي فارسي 1405",
		"كِتابٌ مدرسة عـــربى":     "كتاب مدرسه عربي",
		"أحمد إسلام آية ٱلله":      "احمد اسلام ايه الله",
		"फ़िल्म ज़रूर":             "फिल्म जरूर",
		"हिन्दी हिंदी":             "हिंदी हिंदी",
		"चाँद चांद १९४७":           "चांद चांद 1947",
		"कुल कल":                   "कुल कल",
		"שָׁלוֹם צה״ל":             "שלום צה\"ל",
		"п’ять l’été":              "п'ять l'ete",
		"กรุงเทพ ๒๕๗๐":             "กรุงเทพ 2570",
		"Œuvre Þór Smørrebrød":     "oeuvre thor smorrebrod",
	} {
		if got := Fold(text); got != want {
			t.Errorf("Fold(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSpelledOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "Jazz & Wine": "", "café": "", "Herr MÜLLER, Jörg": "mueller joerg", "Ärzte": "aerzte", "A\u0308rzte": "aerzte",
		"Smørrebrød på Ålborg": "smoerrebroed paa aalborg", "Straßenfest": "", "Größe": "groesse",
	} {
		if got := strings.Join(SpelledOut(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"Straße", "İ", "ǆ", "K Å Ω", "ﬃ", "\xff", "ガ", "각", "कि्ष्न्", "ۀ", "\u200f٣", "𝟗"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s)
		if twice := Fold(once); twice != once {
			t.Errorf("Fold(%q) = %q, folded again %q", s, once, twice)
		}
	})
}
