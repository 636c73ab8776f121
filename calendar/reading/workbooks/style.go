package workbooks

import (
	"encoding/xml"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// style is the number format of a cell, as far as it determines what the number means.
type style struct {
	date, clock bool
	currency    string // the sign of a currency; "" if none
}

// styling reads the styles of a workbook.
type styling struct {
	*Workbook
	formats map[string]string // codes of number formats, by id
	cells   bool              // within the styles of cells
}

func (s *styling) element(e xml.StartElement, _ *xml.Decoder) error {
	switch e.Name.Local {
	case "numFmt":
		s.formats[attribute(e, "numFmtId")] = attribute(e, "formatCode")
	case "cellXfs":
		s.cells = true
	case "cellStyles", "dxfs", "cellStyleXfs":
		s.cells = false
	case "xf":
		if s.cells {
			id := attribute(e, "numFmtId")
			s.styles = append(s.styles, styleOf(id, s.formats[id]))
		}
	}
	return nil
}

var (
	quotedPart = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.`)
	sign       = regexp.MustCompile(`\[\$([^\]-]*)[^\]]*\]|([€$£¥₹₺₴])`)
	elapsed    = regexp.MustCompile(`(?i)\[(h+|m+|s+)\]`)
	bracket    = regexp.MustCompile(`\[[^\]]*\]`)
)

// styleOf returns the style of a number format: a built-in one of Excel (ECMA-376 part 1, §18.8.30), or a custom one with a
// code.
func styleOf(id, code string) style {
	n, _ := strconv.Atoi(id)
	switch {
	case code != "":
	case n >= 14 && n <= 17, n >= 27 && n <= 31, n == 36, n >= 50 && n <= 58:
		return style{date: true}
	case n >= 18 && n <= 21, n >= 32 && n <= 35, n >= 45 && n <= 47:
		return style{clock: true}
	case n == 22:
		return style{date: true, clock: true}
	}
	code, _, _ = strings.Cut(code, ";")
	s := style{}
	if found := sign.FindStringSubmatch(code); found != nil {
		s.currency = found[1] + found[2]
	}
	code = quotedPart.ReplaceAllString(code, "")
	s.clock = elapsed.MatchString(code)
	code = strings.ToLower(bracket.ReplaceAllString(code, ""))
	code = strings.ReplaceAll(strings.ReplaceAll(code, "general", ""), "am/pm", "h")
	s.date = strings.ContainsAny(code, "yd") || strings.Contains(code, "mmm")
	s.clock = s.clock || strings.ContainsAny(code, "hs")
	if !s.date && !s.clock && strings.Contains(code, "m") {
		s.date = true
	}
	return s
}

// lastSerial is the number of the day after the last day of Excel, 31 December 9999.
const lastSerial = 2958466

// text returns a number in this style: dates and times in the form of ISO 8601.
func (s style) text(n float64, since1904 bool) string {
	if !s.date && !s.clock || n < 0 || n >= lastSerial {
		text := strconv.FormatFloat(n, 'f', -1, 64)
		if s.currency != "" {
			text += " " + s.currency
		}
		return text
	}
	seconds := int64(math.Round(n * 86400))
	if s.clock && !s.date && n < 1 {
		return time.Unix(seconds, 0).UTC().Format(time.TimeOnly)
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case since1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case n < 60: // Excel has a 29 February 1900
		first = first.AddDate(0, 0, 1)
	}
	at := first.AddDate(0, 0, int(seconds/86400)).Add(time.Duration(seconds%86400) * time.Second)
	if seconds%86400 == 0 && !s.clock {
		return at.Format(time.DateOnly)
	}
	return at.Format(time.DateTime)
}
