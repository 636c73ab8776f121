package wording

import (
	"slices"
	"strings"
)

// latin returns a folded word of another alphabet as people type it in Latin letters, or "" if it has only Latin letters.
// It is for guesses, which forgive that there are several ways.
func latin(word string) string {
	if isASCII(word) {
		return ""
	}
	if written := inLatin.Replace(word); written != word {
		return written
	}
	return ""
}

// inLatin replaces folded letters of the Cyrillic and the Greek alphabet.
var inLatin = strings.NewReplacer(
	"а", "a", "б", "b", "в", "v", "г", "g", "д", "d", "е", "e", "ж", "zh", "з", "z", "и", "i", "к", "k", "л", "l", "м", "m",
	"н", "n", "о", "o", "п", "p", "р", "r", "с", "s", "т", "t", "у", "u", "ф", "f", "х", "h", "ц", "ts", "ч", "ch",
	"ш", "sh", "щ", "sch", "ъ", "", "ы", "y", "ь", "", "э", "e", "ю", "yu", "я", "ya", "і", "i", "є", "ye", "ґ", "g",
	"ј", "j", "љ", "lj", "њ", "nj", "ћ", "c", "ђ", "dj", "џ", "dz", "ου", "u", "αυ", "av", "ευ", "ev", "μπ", "b", "ντ", "d",
	"γκ", "g", "γγ", "ng", "τζ", "tz", "α", "a", "β", "v", "γ", "g", "δ", "d", "ε", "e", "ζ", "z", "η", "i", "θ", "th",
	"ι", "i", "κ", "k", "λ", "l", "μ", "m", "ν", "n", "ξ", "x", "ο", "o", "π", "p", "ρ", "r", "σ", "s", "τ", "t", "υ", "y",
	"φ", "f", "χ", "ch", "ψ", "ps", "ω", "o",
)

// asLooks returns a folded word in which Cyrillic or Greek letters stand for the Latin ones that look like them, or "" if some of its
// letters look otherwise: such words come from programs that recognize printed text, and from keyboards that were switched too late.
func asLooks(word string) string {
	if isASCII(word) {
		return ""
	}
	if seen := inLooks.Replace(word); isASCII(seen) {
		return seen
	}
	return ""
}

// inLooks replaces folded letters of the Cyrillic and the Greek alphabet by Latin letters that look like them.
var inLooks = strings.NewReplacer(
	"а", "a", "в", "b", "г", "r", "е", "e", "к", "k", "м", "m", "н", "h", "о", "o", "п", "n", "р", "p", "с", "c", "т", "t", "у", "y",
	"х", "x",
	"ь", "b", "і", "i", "ѕ", "s", "ј", "j", "һ", "h", "ԁ", "d", "ԛ", "q", "ԝ", "w",
	"α", "a", "β", "b", "γ", "y", "ε", "e", "η", "n", "ι", "i", "κ", "k", "μ", "u", "ν", "v", "ο", "o", "ρ", "p", "τ", "t", "υ", "u",
	"χ", "x",
	"ω", "w", "ζ", "z",
)

// keyboards are the keys of a Latin keyboard, and those of others in the same places: Russian, Ukrainian, Greek, Hebrew, Arabic.
var keyboards = [][]rune{
	[]rune("qwertyuiop[]asdfghjkl;'zxcvbnm,."),
	[]rune("йцукенгшщзхъфывапролджэячсмитьбю"),
	[]rune("йцукенгшщзхїфівапролджєячсмитьбю"),
	[]rune(";ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,."),
	[]rune("/'קראטוןםפ][שדגכעיחלךף,זסבהנמצתץ"),
	[]rune("ضصثقفغعهخحجدشسيبلاتنمكطئءؤرﻻىةوز"),
}

// retyped returns a text as it would be if it had been typed on another keyboard, or "" if a letter is on no key.
func retyped(text string, from, to []rune) string {
	var b strings.Builder
	for _, c := range text {
		at := slices.Index(from, c)
		if at < 0 {
			return ""
		}
		b.WriteRune(to[at])
	}
	return Fold(b.String())
}

// keyed returns the entries that a word means if it was typed on the wrong keyboard, at most with a small mistake.
func (v *Vocabulary) keyed(word string) (list []candidate) {
	for _, other := range keyboards[1:] {
		from, to := other, keyboards[0]
		if isASCII(word) {
			from, to = to, from
		}
		for _, one := range v.like(retyped(word, from, to)) {
			if one.costs <= letterCosts {
				one.costs += mistaken
				list = append(list, one)
			}
		}
	}
	return list
}
