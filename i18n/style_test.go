package i18n

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// eachText calls back with every text of a list, one plural form at a time. What
// is named date. is left out: that is patterns and forms of CLDR.
func eachText(list map[string]entry, check func(key, text string)) {
	for key, e := range list {
		if strings.HasPrefix(key, "date.") {
			continue
		}
		for _, text := range e.forms {
			check(key, text)
		}
	}
}

// wide is what Japanese writes without blanks around it.
const wide = `\x{3000}-\x{30ff}\x{4e00}-\x{9fff}\x{ff00}-\x{ff5e}`

// mistakes are what no text of a language may have. The tag "" is every language.
var mistakes = []struct{ tag, what, pattern string }{
	{"", "a straight quote or apostrophe", `["']`},
	{"", "three points instead of …", `\.\.\.`},
	{"", "two blanks, or a tab", `  |\t`},
	{"", "a blank at the end of a line", `[ \x{a0}]\n`},
	{"en", "a blank before a sign", ` [:;!?…]`},
	{"de", "quotes of another language", `[«»”]`},
	{"de", "a quote that is not opened below", `(^|[^„])“\pL`},
	{"de", "no blank before …", `[^ ]…`},
	{"fr", "no narrow blank before a sign", `[^\x{202f}][;!?]`},
	{"fr", "no fixed blank before a colon", `[^\x{a0}]:([^/0-9]|$)`},
	{"fr", "no fixed blank inside « »", `«[^\x{a0}]|[^\x{a0}]»`},
	{"fr", "quotes of another language", `[“”„]`},
	{"es", "quotes of another language", `[“”„]`},
	{"es", "a question or call that is not opened", `^[^¿]*\?|^[^¡]*!`},
	{"ar", "Latin punctuation", `[,;?]`},
	{"ar", "quotes of another language", `[“”„]`},
	{"ja", "a narrow sign", `[,;!?()]|:([^0-9/]|$)`},
	{"ja", "a blank beside a wide character", `[` + wide + `] | [` + wide + `]`},
	{"ja", "quotes of another language", `[“”„«»]`},
	{"ja", "a narrow full stop", `[` + wide + `]\.($|\n)`},
}

// exempt are texts that are written as a machine wants them.
var exempt = map[string]*regexp.Regexp{
	"fr": regexp.MustCompile(`mailto:`),
	"ja": regexp.MustCompile(`mailto:`),
}

func TestTypography(t *testing.T) {
	t.Parallel()
	for _, tag := range Languages() {
		texts := entries(t, tag)
		for _, m := range mistakes {
			if m.tag != "" && m.tag != tag {
				continue
			}
			wrong := regexp.MustCompile(m.pattern)
			eachText(texts, func(key, text string) {
				if machine := exempt[tag]; machine != nil {
					text = machine.ReplaceAllString(text, "")
				}
				if at := wrong.FindString(text); at != "" {
					t.Errorf("%s: %s has %s (%q): %q", tag, key, m.what, at, text)
				}
			})
		}
	}
}

func TestQuotesComeInPairs(t *testing.T) {
	t.Parallel()
	for tag, pair := range map[string]string{"en": "“”", "de": "„“", "fr": "«»", "es": "«»", "ar": "«»", "ja": "「」"} {
		opening, closing := string([]rune(pair)[0]), string([]rune(pair)[1])
		eachText(entries(t, tag), func(key, text string) {
			if strings.Count(text, opening) != strings.Count(text, closing) {
				t.Errorf("%s: %s opens and closes quotes differently: %q", tag, key, text)
			}
		})
	}
}

// dropped are words that were decided against, with what is said instead. The
// words themselves are in docs/glossary.md.
var dropped = []struct{ tag, pattern, instead string }{
	{"en", `(?i)\bpictures?\b`, "image"},
	{"en", `(?i)\bpresent password`, "current password"},
	{"en", `n’t\b`, "the long form"},
	{"de", `Fassung\b`, "Version"},
	{"de", `Betreiber`, "Anbieter"},
	{"de", `Schnittstelle`, "API"},
	{"de", `(?i)\b(du|dein|deine|dir|dich)\b`, "Sie"},
	{"fr", `(?i)événement`, "évènement"},
	{"fr", `(?i)\bformule\b`, "offre"},
	{"fr", `(?i)(^|[^\pL])(tu|ton|ta|tes)([^\pL]|$)`, "vous"},
	{"es", `(?i)(^|[^\pL])(tú|tu|tus|ti)([^\pL]|$)`, "usted"},
	{"es", `(?i)(^|[^\pL])petici[oó]n`, "solicitud"},
	{"es", `(?i)\bfunción\b`, "rol"},
	{"ar", `فئة|فئات`, "تصنيف"},
	{"ar", `مؤلف`, "كاتب"},
	{"ar", `محرف|محارف`, "حرف"},
	{"ja", `サインイン|サインアウト`, "ログイン、ログアウト"},
	{"ja", `作成者`, "投稿者"},
	{"ja", `提供者`, "プロバイダー"},
}

func TestOneWordForOneThing(t *testing.T) {
	t.Parallel()
	for _, tag := range Languages() {
		texts := entries(t, tag)
		for _, d := range dropped {
			if d.tag != tag {
				continue
			}
			word := regexp.MustCompile(d.pattern)
			eachText(texts, func(key, text string) {
				if at := word.FindString(text); at != "" {
					t.Errorf("%s: %s says %q, elsewhere it is %s: %q", tag, key, at, d.instead, text)
				}
			})
		}
	}
}

// shared are the texts that are the same as in English because the language has
// the same word.
var shared = map[string][]string{
	"ar": {"YOUR_KEY"}, // stands in a command
	"de": {"Administrator", "Domains", "ID", "Link", "Name", "Online", "Passkey", "Passkeys", "Status", "Tickets", "Version", "Website", "{{.Number}} MB"},
	"es": {"Editor", "ID", "No", "Plan", "{{.Number}} MB"},
	"fr": {
		"Action", "Administration", "Date", "Description", "E-mail", "ID", "Image", "Images", "Images (JPEG, PNG, GIF, WebP)", "Latitude",
		"Longitude", "Pages", "Province", "Site", "Sites", "Type", "Version", "{{.Number}} sites", "{{.Number}} suggestions.",
	},
	"ja": {"ID", "YOUR_KEY", "{{.Number}} MB"},
}

func TestNoEnglishIsLeft(t *testing.T) {
	t.Parallel()
	english := entries(t, source)
	words := regexp.MustCompile(`[A-Za-z]{2}`)
	for _, tag := range Languages() {
		if tag == source {
			continue
		}
		met := map[string]bool{}
		for key, e := range entries(t, tag) {
			text := e.forms["other"]
			if strings.HasPrefix(key, "date.") || text != english[key].forms["other"] || !words.MatchString(placeholder.ReplaceAllString(text, "")) {
				continue
			}
			met[text] = true
			if !slices.Contains(shared[tag], text) {
				t.Errorf("%s: %s is in English: %q", tag, key, text)
			}
		}
		for _, text := range shared[tag] {
			if !met[text] {
				t.Errorf("%s: no text is %q in English too", tag, text)
			}
		}
	}
}
