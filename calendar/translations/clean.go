package translations

import (
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
)

// Descriptions sanitizes a description and an excerpt if they were sent.
func Descriptions(description, excerpt args.Opt[string], intoDescription, intoExcerpt *string) error {
	found := &args.Problems{}
	for _, text := range []struct {
		name string
		arg  args.Opt[string]
		into *string
	}{{"description", description, intoDescription}, {"excerpt", excerpt, intoExcerpt}} {
		if !text.arg.Given() {
			continue
		}
		clean := wording.CleanHTML(text.arg.Or(""))
		if *text.into = clean; len(clean) > wording.LongestHTML {
			found.Invalid(text.name, "problem.bytes", map[string]any{"Max": wording.LongestHTML})
		}
	}
	return found.Err()
}

// SEO cleans the title and description for search engines, if they were sent.
func SEO(title, description args.Opt[string], intoTitle, intoDescription *string) {
	if title.Given() {
		*intoTitle = wording.Tidy(title.Or(""))
	}
	if description.Given() {
		*intoDescription = wording.Tidy(description.Or(""))
	}
}
