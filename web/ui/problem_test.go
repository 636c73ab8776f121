package ui

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// onlyPrograms are problems that no form can have: arguments that only programs send, or a kind of value that no field has. Those of rules are
// about rules that somebody wrote as text, whose words they name.
var onlyPrograms = regexp.MustCompile(`^problem\.(after|changes\..*|fields|geo\.off|id\.taken|place|recurrence\..*|series\.filter|status\.right|type\.(array|boolean|object)|unknown|with)$`)

// inForms are the problems with rules that forms can have all the same.
var inForms = map[string]bool{"problem.recurrence.one": true, "problem.recurrence.ids": true}

// technical finds what only programs understand: IDs, names of arguments and encodings, in any language.
var technical = regexp.MustCompile(`(^|[^A-Za-z])IDs?([^A-Za-z]|$)|UTF-8|\bNUL\b|JSON|YYYY|AAAA|JJJJ|[a-z]_[a-z]|[a-z]=[a-z]|\bnull\b|[Pp]aramet|[Pp]ercent|kodier`)

// foreignNumber finds numbers in the digits 0 to 9 that are not part of a code.
var foreignNumber = regexp.MustCompile(`(^|[^\w ] |[«(])\d+($|[ ،.)»])`)

// The digits of a language are for numbers, not for codes.
func TestFigures(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"من 1 إلى 255 حرفًا": "من ١ إلى ٢٥٥ حرفًا", "JPEG أو PNG، 20 MB": "JPEG أو PNG، ٢٠ MB", "(10–15)": "(١٠–١٥)",
		"UTF-8, ISO 4217, 2027-03-01 19:30:00, #1d5c86, UTC+2": "UTF-8, ISO 4217, 2027-03-01 19:30:00, #1d5c86, UTC+2"} {
		if got := (Dates{Tag: "ar"}).Figures(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := (Dates{Tag: "de"}).Figures(text); got != text {
			t.Errorf("in German %q", got)
		}
	}
}

// Messages in forms are for people: none has an ID, the name of an argument or a format of the API, in no language.
func TestProblemsAreForPeople(t *testing.T) {
	t.Parallel()
	keys := map[string]any{}
	text, err := os.ReadFile("../../i18n/texts/en.json")
	if err == nil {
		err = json.Unmarshal(text, &keys)
	}
	files, _ := filepath.Glob("../../i18n/texts/*.json")
	if err != nil || len(files) < 24 {
		t.Fatal(err, files)
	}
	told := 0
	for key := range keys {
		if !strings.HasPrefix(key, "problem.") || onlyPrograms.MatchString(key) && !inForms[key] {
			continue
		}
		for _, file := range files {
			language := strings.TrimSuffix(filepath.Base(file), ".json")
			ctx := tenancy.With(context.Background(), tenancy.Scope{Language: language, Site: &tenancy.Site{Language: language}})
			got := Problem(ctx, args.Problem{Arg: "x", Key: key, Data: map[string]any{"Count": 2, "Max": 2, "Min": 2}}, true)
			if told++; got == "" || strings.Contains(got, "problem.") || technical.MatchString(got) {
				t.Errorf("%s, %s: %q", language, key, got)
			}
			if own := DatesIn(ctx); own.OwnDigits() != nil && foreignNumber.MatchString(got) {
				t.Errorf("%s, %s has other digits than the page: %q", language, key, got)
			}
		}
	}
	if told < 24*80 {
		t.Errorf("only %d messages were read", told)
	}
}

// A problem within an object is told for people, too, and numbers keep their place.
func TestProblemsWithin(t *testing.T) {
	t.Parallel()
	ctx := tenancy.With(context.Background(), tenancy.Scope{Language: "en", Site: &tenancy.Site{Language: "en"}})
	inner := args.Problem{Arg: "website", Key: "problem.url"}
	for want, p := range map[string]args.Problem{
		"Enter a complete address, such as https://www.example.org.": inner,
		"The field website is invalid. Enter a complete address":     {Key: "problem.field.invalid", Data: map[string]any{"Field": "website", "Problem": inner}},
		"The number must be at most 7.":                              {Key: "problem.max", Data: map[string]any{"Max": 7}},
		"Enter a date such as Mar\u00a01,\u00a02027, 7:30":           {Key: "problem.date"},
		"This category no longer exists.":                            {Key: "problem.category.named"},
		"Choose one of the values offered.":                          {Key: "problem.enum", Data: map[string]any{"Allowed": "a, b"}},
	} {
		if got := Problem(ctx, p, false); !strings.HasPrefix(got, want) {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
