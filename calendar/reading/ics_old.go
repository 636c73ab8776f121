package reading

import (
	"bytes"
	"io"
	"mime/quotedprintable"
	"regexp"
	"strings"
)

// Some programs still write vCalendar 1.0, the predecessor of iCalendar: texts in quoted-printable, and rules in another
// grammar.

// quotedPrintable returns the decoded value of a property in quoted-printable. It returns false if the parameters
// do not specify this encoding.
func (p *property) quotedPrintable() (string, bool) {
	_, bare := p.params["QUOTED-PRINTABLE"]
	if !bare && !strings.EqualFold(p.params["ENCODING"], "QUOTED-PRINTABLE") {
		return "", false
	}
	text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(p.value)))
	if err != nil {
		return "", false
	}
	return strings.ReplaceAll(readable(text), "\r\n", "\n"), true
}

// isQuotedPrintable reports whether the parameters of a line specify quoted-printable.
func isQuotedPrintable(line []byte) bool {
	params, _, _ := bytes.Cut(line, []byte(":"))
	return bytes.Contains(bytes.ToUpper(params), []byte("QUOTED-PRINTABLE"))
}

// oldRule is a rule of vCalendar 1.0: "W1 MO TU #10", "MP1 1+ TU 20301231T000000Z".
var oldRule = regexp.MustCompile(`^(D|W|MP|MD|YM|YD)([1-9]\d{0,2})((?: [A-Z\d+-]+)*?)(?: (#\d{1,4}|\d{8}T\d{6}Z?))?$`)

// inNewGrammar converts a rule of vCalendar 1.0 to the grammar of RFC 5545. It returns other rules as they are.
func inNewGrammar(text string) string {
	parts := oldRule.FindStringSubmatch(strings.Join(strings.Fields(strings.ToUpper(text)), " "))
	if parts == nil {
		return text
	}
	list, end := strings.Fields(parts[3]), parts[4]
	rule, by := oldFrequencies[parts[1]], ""
	switch {
	case parts[1] == "D" && len(list) > 0: // times of day
		return text
	case parts[1] == "MP":
		by = positions(list)
	case len(list) > 0:
		for i := range list {
			if list[i] = strings.TrimSuffix(list[i], "+"); list[i] == "LD" {
				list[i] = "-1"
			} else if n, before := strings.CutSuffix(list[i], "-"); before {
				list[i] = "-" + n
			}
		}
		by = strings.Join(list, ",")
	}
	rule += ";INTERVAL=" + parts[2]
	if by != "" {
		rule += ";" + oldLists[parts[1]] + "=" + by
	}
	switch count, is := strings.CutPrefix(end, "#"); {
	case end == "":
		rule += ";COUNT=2" // as vCalendar says
	case is && strings.Trim(count, "0") != "":
		rule += ";COUNT=" + count
	case !is:
		rule += ";UNTIL=" + end
	}
	return rule
}

var (
	oldFrequencies = map[string]string{
		"D":  "FREQ=DAILY",
		"W":  "FREQ=WEEKLY",
		"MP": "FREQ=MONTHLY",
		"MD": "FREQ=MONTHLY",
		"YM": "FREQ=YEARLY",
		"YD": "FREQ=YEARLY",
	}
	oldLists = map[string]string{"W": "BYDAY", "MP": "BYDAY", "MD": "BYMONTHDAY", "YM": "BYMONTH", "YD": "BYYEARDAY"}
)

// positions converts the weekdays and positions of a rule: "1+ TU WE 2- FR" means the first Tuesday and Wednesday, and the
// last Friday but one.
func positions(list []string) string {
	var days []string
	at := ""
	for _, one := range list {
		n, plus := strings.CutSuffix(one, "+")
		m, minus := strings.CutSuffix(one, "-")
		switch {
		case plus:
			at = n
		case minus:
			at = "-" + m
		default:
			days = append(days, at+one)
		}
	}
	return strings.Join(days, ",")
}
