package calendar

import (
	"context"
	"strings"

	"github.com/kalends/kalends/args"
)

// longestHTML is the maximum length of a description in bytes, both sent and stored, so that what is read can be
// written back (rule 3.14).
const longestHTML = 256 << 10

// descriptions sanitizes a description and an excerpt if they were sent.
func descriptions(ctx context.Context, description, excerpt args.Opt[string], intoDescription, intoExcerpt *string) error {
	found := &args.Problems{}
	for _, text := range []struct {
		name string
		arg  args.Opt[string]
		into *string
	}{{"description", description, intoDescription}, {"excerpt", excerpt, intoExcerpt}} {
		if !text.arg.Given() {
			continue
		}
		clean, err := CleanHTML(ctx, text.arg.Or(""))
		if err != nil {
			return err
		}
		if *text.into = clean; len(clean) > longestHTML {
			found.Invalid(text.name, "problem.bytes", map[string]any{"Max": longestHTML})
		}
	}
	return found.Err()
}

// seoTexts cleans the texts for search engines that were sent.
func seoTexts(title, description args.Opt[string], intoTitle, intoDescription *string) {
	if title.Given() {
		*intoTitle = tidy(title.Or(""))
	}
	if description.Given() {
		*intoDescription = tidy(description.Or(""))
	}
}

// CleanLine returns a text as a single line without tags, entities and line breaks (rule 8.2).
func CleanLine(s string) string { return CleanTerm(s) }

// CleanInline returns sanitized HTML like CleanHTML, but does not add paragraphs. It is for descriptions of terms
// (rule 12.1).
func CleanInline(s string) string {
	return strings.TrimSpace(htmlPolicy.Sanitize(strings.ToValidUTF8(s, "\uFFFD")))
}
