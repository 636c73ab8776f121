package i18n

import (
	"fmt"
	"io/fs"
	"time"

	"github.com/kalends/kalends/internal/recur"
)

// Sentence is the description of a series in a language, along with the English one.
type Sentence struct {
	Rule    string `json:"rule"`
	English string `json:"english"`
	Words   string `json:"words"`
}

// Sentences describes rules of every kind with the texts of a catalog, which need not be embedded, for translators to
// proofread. It returns an error if the catalog cannot be parsed.
func Sentences(tag string, content []byte) ([]Sentence, error) {
	own := &catalogue{tag: tag, files: oneFile(content)}
	if err := own.read(); err != nil {
		return nil, fmt.Errorf("%s: %w", tag, err)
	}
	own.once.Do(func() {}) // already parsed
	english := loaded().byTag[source]
	texts := &set{byTag: map[string]*catalogue{source: english, tag: own}}
	clock := recur.Clock{Zone: time.UTC, Start: time.Date(2027, 1, 5, 19, 30, 0, 0, time.UTC)}
	describe := func(lang string, rules recur.Set) string {
		return words{texts: texts, lang: lang, clock: clock}.set(rules)
	}
	var list []Sentence
	for _, lines := range spoken {
		rules, problems := recur.ParseLines(lines, clock)
		if len(problems) > 0 {
			return nil, fmt.Errorf("%s: %v", lines, problems)
		}
		list = append(list, Sentence{lines, describe(source, rules), describe(tag, rules)})
	}
	return list, nil
}

// SentencesOf is Sentences for an embedded language.
func SentencesOf(tag string) ([]Sentence, error) {
	content, err := files.ReadFile(tag + ".json")
	if err != nil {
		return nil, err
	}
	return Sentences(tag, content)
}

// oneFile is the file system of a single catalog.
type oneFile []byte

// Open always fails, because catalogs are read with ReadFile.
func (oneFile) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadFile returns the catalog under any name.
func (f oneFile) ReadFile(string) ([]byte, error) { return f, nil }

// spoken are rules that use every text about series, and each weekday and month. The series begins on Tuesday, 5
// January 2027, at 19:30.
var spoken = []string{
	"FREQ=DAILY", "FREQ=DAILY;INTERVAL=2;COUNT=1", "FREQ=DAILY;INTERVAL=3;COUNT=2", "FREQ=DAILY;INTERVAL=25;COUNT=5",
	"FREQ=DAILY;BYMONTH=1,2,3,4,5,6", "FREQ=DAILY;BYMONTH=7,8,9,10,11,12;UNTIL=20280101", "FREQ=WEEKLY;BYDAY=MO",
	"FREQ=WEEKLY;BYDAY=TU;UNTIL=20270630", "FREQ=WEEKLY;BYDAY=WE", "FREQ=WEEKLY;BYDAY=TH", "FREQ=WEEKLY;BYDAY=FR",
	"FREQ=WEEKLY;BYDAY=SA", "FREQ=WEEKLY;BYDAY=SU", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO",
	"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=21", "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH",
	"FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
	"FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=30", "FREQ=WEEKLY;BYDAY=TU,TH", "FREQ=WEEKLY;BYDAY=SA,SU",
	"FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU", "FREQ=WEEKLY;INTERVAL=3;BYDAY=WE,SA", "FREQ=WEEKLY;INTERVAL=12;BYDAY=TH",
	"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20270301",
	"FREQ=MONTHLY;BYMONTHDAY=1,2,3,4", "FREQ=MONTHLY;BYMONTHDAY=5,6,8,11", "FREQ=MONTHLY;BYMONTHDAY=13,20,21,30",
	"FREQ=MONTHLY;BYMONTHDAY=-1,-2", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=5", "FREQ=MONTHLY;INTERVAL=3",
	"FREQ=MONTHLY;BYDAY=1MO,2TU,3WE", "FREQ=MONTHLY;BYDAY=4TH,5FR,-1SA,-2SU", "FREQ=MONTHLY;BYDAY=2WE,2SA",
	"FREQ=MONTHLY;BYDAY=1SU", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYDAY=-2MO;INTERVAL=6",
	"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR",
	"FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=WE", "FREQ=YEARLY", "FREQ=YEARLY;BYMONTH=3,8;BYMONTHDAY=8",
	"FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25;COUNT=10", "FREQ=YEARLY;INTERVAL=2;BYMONTH=5;BYMONTHDAY=1",
	"FREQ=YEARLY;INTERVAL=4", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "FREQ=YEARLY;BYMONTH=1,2,3,4,5,6;BYDAY=-1SU",
	"FREQ=YEARLY;BYMONTH=7,8,9,10,11,12;BYDAY=1SA", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
	"FREQ=YEARLY;BYYEARDAY=1,100,-1", "FREQ=YEARLY;BYDAY=20MO", "FREQ=MONTHLY;BYMONTHDAY=-5;BYMONTH=1,3",
	"FREQ=WEEKLY;BYDAY=TU,FR;BYSETPOS=-1", "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30", "FREQ=DAILY;UNTIL=20270208",
	"FREQ=DAILY;BYHOUR=9;UNTIL=20270311", "RRULE:FREQ=WEEKLY\nEXDATE:20270112T193000",
	"RRULE:FREQ=WEEKLY\nEXDATE:20270112T193000,20270119T193000\nRDATE:20270114T193000,20270115T193000,20270116T193000",
	"RRULE:FREQ=WEEKLY\nEXDATE:20270112T193000,20270119T193000,20270126T193000",
	"RRULE:FREQ=WEEKLY\nRDATE:20270114T193000", "RDATE:20270114T193000,20270115T193000",
	"RRULE:FREQ=WEEKLY;BYDAY=TU\nRRULE:FREQ=MONTHLY;BYMONTHDAY=5;COUNT=6",
}
