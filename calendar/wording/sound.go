package wording

import "strings"

// sounding is what another spelling of the same sounds costs, in tenths of a letter.
const sounding = 6

// soundOf returns how a folded word sounds, roughly and in no particular language: words that are equal in this may be spellings
// of one another.
func soundOf(word string) string {
	said := []byte(asHeard.Replace(word))
	n := 0
	for i, c := range said {
		if i == 0 || c != said[n-1] {
			said[n] = c
			n++
		}
	}
	if string(said[:n]) == word {
		return word // whose memory the vocabulary has already
	}
	return string(said[:n])
}

// asHeard replaces letters by others that sound alike. S and C are the first sounds of "ship" and "chip".
var asHeard = strings.NewReplacer(
	"borough", "burg", "burgh", "burg", "shun", "Sn", "igh", "ai", "tsch", "C", "tch", "C", "dsch", "j", "dzh", "j",
	"sch", "S", "sh", "S", "ch", "C", "tion", "Sn", "sion", "Sn", "cion", "Sn",
	"ph", "f", "pf", "f", "qu", "kv", "q", "k", "x", "ks", "ck", "k", "ce", "se", "ci", "si", "cy", "si", "c", "k",
	"w", "v", "z", "s", "y", "i", "th", "t", "gh", "g", "rh", "r", "oo", "u", "ou", "u", "ee", "i", "ea", "i", "ie", "i",
)
