package lists

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kalends/kalends/storage/content"
)

// mostRanked is how many words of a search determine the order of its results.
const mostRanked = 5

// separators are the characters that end a word in a title.
const separators = `.,;:!?()[]{}"'/\|–—-„“”«»‹›…&+*#` + "\t"

// relevance is SQL for the sort value of a search: for each word where an event has it, then the start of the event. In a
// title, a whole word ranks above a part of one, and a word as typed above its stem.
func (b *eventQuery) relevance() string {
	title := b.titles()
	blanks := strings.Repeat(" ", len([]rune(separators)))
	var ranks []string
	for i, word := range b.Search.Words[:min(len(b.Search.Words), mostRanked)] {
		typed := word
		if i < len(b.Search.Typed) {
			typed = b.Search.Typed[i]
		}
		whole := content.Pattern(typed)
		rank := fmt.Sprintf("CASE WHEN %[1]s LIKE %[2]s"+
			" THEN CASE WHEN ' ' || translate(%[1]s, %[3]s, %[4]s) || ' ' LIKE %[5]s THEN 0 ELSE 1 END",
			title, b.arg(content.Pattern(word)), b.arg(separators), b.arg(blanks), b.arg("% "+whole[1:len(whole)-1]+" %"))
		if b.named != nil && b.named.of[word] != nil {
			of := b.named.of[word]
			rank += fmt.Sprintf(" WHEN e.term_ids && %s::bigint[] THEN 2"+
				" WHEN e.venue_ids && %s::bigint[] OR e.organizer_ids && %s::bigint[] THEN 3",
				b.arg(of.terms), b.arg(of.venues), b.arg(of.organizers))
		}
		ranks = append(ranks, rank+" ELSE 4 END")
	}
	sign := "+"
	if b.Descending { // the best match comes first in either direction; among equal matches the latest does
		sign = "-"
	}
	return "extract(epoch FROM o.start_local)::float8 " + sign + " " +
		strconv.FormatInt(farApart, 10) + "::float8 * (" + strings.Join(ranks, " + ") + ")"
}

// farApart is more than the number of seconds between any two dates.
const farApart = 1_000_000_000_000

// titles is SQL for the folded titles of an event e: in the site's own language, and in the languages asked for.
func (b *eventQuery) titles() string {
	own := `split_part(left(e.search, 250), E'\n', 1)` // the beginning is enough, so a long text is not decompressed completely
	var others strings.Builder
	for _, language := range b.Texts.In {
		fmt.Fprintf(&others, ` || ' ' || split_part(split_part(e.search, E'\x02' || %s::text || E'\n', 2), E'\n', 1)`, b.arg(language))
	}
	if others.Len() == 0 {
		return own
	}
	return "(" + own + others.String() + ")"
}
