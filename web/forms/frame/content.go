package frame

import (
	"regexp"
	"strings"
)

// shown is a part of a text: a color, the address of a picture, or neither.
type shown struct {
	text           string
	color, picture bool
}

var showable = regexp.MustCompile(`(?:^|\s)(?:#[0-9a-fA-F]{6}|/media/[^\s]+\.(?:avif|gif|jpe?g|png|webp)(?:#[0-9x]+)?)(?:$|\s)`)

// shownIn splits the content of a field into colors, addresses of pictures of the site, and the rest.
func shownIn(text string) (list []shown) {
	for {
		at := showable.FindStringIndex(text)
		if at == nil {
			return append(list, shown{text: text})
		}
		found := strings.TrimSpace(text[at[0]:at[1]])
		from := at[0] + strings.Index(text[at[0]:at[1]], found)
		list = append(list, shown{text: text[:from]}, shown{text: found, color: found[0] == '#', picture: found[0] == '/'})
		text = text[from+len(found):]
	}
}
