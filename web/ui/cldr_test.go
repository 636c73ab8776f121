package ui

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/kalends/kalends/i18n"
)

// onPurpose is what a language says otherwise than CLDR, as its people write: by language
// and form.
var onPurpose = map[string]string{
	"ko time": "오후 7:30", "ko early": "오전 8:05", // as CLDR has it; Node writes PM
	"fi full": "sunnuntai 7. maaliskuuta 2027", "fi april": "torstai 15. huhtikuuta 2027", // a date that stands alone
	"uk full": "неділя, 7 березня 2027 року", "uk april": "четвер, 15 квітня 2027 року", "uk month": "березень 2027", "uk medium": "7 бер. 2027",
}

// TestFormsOfNode holds every language against what Node writes, which has CLDR in it:
// testdata/cldr.json, made by tools/cldr/forms.mjs. What differs on purpose is named above.
func TestFormsOfNode(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("testdata/cldr.json")
	if err != nil {
		t.Fatal(err)
	}
	var forms map[string]map[string]any
	if err := json.Unmarshal(content, &forms); err != nil {
		t.Fatal(err)
	}
	evening, morning := at("2027-03-07 19:30"), at("2027-04-15 08:05")
	met := map[string]bool{}
	for tag := range forms {
		if !i18n.Supported(tag) {
			t.Errorf("there is no %s any more", tag)
		}
	}
	for _, tag := range i18n.Languages() {
		l := Dates{Tag: tag}
		got := map[string]string{
			"full": l.Full(evening), "april": l.Full(morning), "month": l.Month(evening), "medium": l.Short(evening),
			"short": Dates{Tag: tag, Form: "short"}.Short(evening), "time": l.Clock(evening), "early": l.Clock(morning),
			"thousand": l.Number(1234), "tenThousand": l.Number(12345), "million": l.Number(1234567), "week": strconv.Itoa(l.WeekStart()),
		}
		for form, text := range got {
			want, ok := forms[tag][form].(string)
			if n, number := forms[tag][form].(float64); number {
				want, ok = strconv.Itoa(int(n)), true
			}
			if !ok {
				t.Errorf("%s has no %s: run tools/cldr/forms.mjs", tag, form)
				continue
			}
			text = strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(text)
			if wanted, different := onPurpose[tag+" "+form]; different {
				met[tag+" "+form] = true
				want = wanted
			}
			if text != want {
				t.Errorf("%s: %s is %q, want %q", tag, form, text, want)
			}
		}
	}
	for form := range onPurpose {
		if !met[form] {
			t.Errorf("nothing is called %s", form)
		}
	}
}
