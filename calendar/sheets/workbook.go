package sheets

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// workbook writes an Excel workbook (ECMA-376) with one table, row by row.
type workbook struct {
	archive  *zip.Writer
	sheet    io.Writer
	meanings []string // of the columns
	rows     int
	failed   error
}

// The parts of a workbook besides its table.
const (
	mainNS     = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationNS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageNS  = "http://schemas.openxmlformats.org/package/2006/"
	typePrefix = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// The styles of cells, by their order in the styles below.
const (
	_ = iota
	dateStyle
	timeStyle
	headStyle
)

var workbookParts = []struct{ name, content string }{
	{"[Content_Types].xml", `<Types xmlns="` + packageNS + `content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + typePrefix + `sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + typePrefix + `styles+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + typePrefix + `worksheet+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="` + packageNS + `relationships">` +
		`<Relationship Id="rId1" Type="` + relationNS + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packageNS + `relationships">` +
		`<Relationship Id="rId1" Type="` + relationNS + `/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + relationNS + `/styles" Target="styles.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook xmlns="` + mainNS + `" xmlns:r="` + relationNS + `">` +
		`<sheets><sheet name="Events" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/styles.xml", `<styleSheet xmlns="` + mainNS + `"><fonts count="2">` +
		`<font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border/></borders>` +
		`<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="20" xfId="0" applyNumberFormat="1"/><xf fontId="1" xfId="0" applyFont="1"/></cellXfs></styleSheet>`},
}

// newWorkbook begins a workbook.
func newWorkbook(w io.Writer, meanings []string) *workbook {
	b := &workbook{archive: zip.NewWriter(w), meanings: meanings}
	for _, part := range workbookParts {
		b.part(part.name)
		b.text(part.content)
	}
	b.part("xl/worksheets/sheet1.xml")
	b.text(`<worksheet xmlns="` + mainNS + `"><sheetViews><sheetView workbookViewId="0">` +
		`<pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><sheetData>`)
	return b
}

func (b *workbook) part(name string) {
	if b.failed == nil {
		b.sheet, b.failed = b.archive.Create(name)
	}
	b.text(xml.Header)
}

func (b *workbook) text(text string) {
	if b.failed == nil {
		_, b.failed = io.WriteString(b.sheet, text)
	}
}

// Write writes a row.
func (b *workbook) Write(row []string) error {
	var line strings.Builder
	b.rows++
	line.WriteString(`<row r="` + strconv.Itoa(b.rows) + `">`)
	for n, text := range row {
		if text != "" {
			line.WriteString(b.cell(n, text))
		}
	}
	line.WriteString("</row>")
	b.text(line.String())
	return b.failed
}

// The columns with dates, times of day, and switches.
var (
	dateColumns   = []string{"start_date", "end_date"}
	timeColumns   = []string{"start_time", "end_time"}
	switchColumns = []string{"all_day", "featured", "sticky", "hide_from_listings", "show_map", "show_map_link"}
)

// cell returns the cell of a column.
func (b *workbook) cell(n int, text string) string {
	begin := `<c r="` + columnName(n) + strconv.Itoa(b.rows) + `"`
	meaning := b.meanings[n]
	switch {
	case b.rows == 1:
		begin += ` s="` + strconv.Itoa(headStyle) + `"`
	case slices.Contains(dateColumns, meaning):
		if day, err := time.Parse(time.DateOnly, text); err == nil && !day.Before(firstSerial) {
			return begin + ` s="` + strconv.Itoa(dateStyle) + `"><v>` + strconv.Itoa(int(day.Sub(zeroSerial).Hours()/24)) + `</v></c>`
		}
	case slices.Contains(timeColumns, meaning):
		if at, ok := partOfDay(text); ok {
			return begin + ` s="` + strconv.Itoa(timeStyle) + `"><v>` + at + `</v></c>`
		}
	case slices.Contains(switchColumns, meaning) && (text == "TRUE" || text == "FALSE"):
		return begin + ` t="b"><v>` + map[string]string{"TRUE": "1", "FALSE": "0"}[text] + `</v></c>`
	}
	return begin + ` t="inlineStr"><is><t xml:space="preserve">` + inXML(text) + `</t></is></c>`
}

// zeroSerial is the day with the number 0, and firstSerial the first day that programs agree about.
var (
	zeroSerial  = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	firstSerial = time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)
)

// partOfDay returns a time of day as a part of the day.
func partOfDay(text string) (string, bool) {
	for _, form := range []string{"15:04", time.TimeOnly} {
		if at, err := time.Parse(form, text); err == nil {
			return strconv.FormatFloat(float64(at.Hour()*3600+at.Minute()*60+at.Second())/86400, 'f', -1, 64), true
		}
	}
	return "", false
}

// columnName returns the name of a column, from A.
func columnName(n int) string {
	name := ""
	for n++; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// escaped finds what programs read as an escaped character (ECMA-376 part 1, §22.4.2.4).
var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// inXML returns a text as the content of an element.
func inXML(text string) string {
	var b strings.Builder
	text = escaped.ReplaceAllStringFunc(text, func(found string) string { return "_x005F" + found })
	_ = xml.EscapeText(&b, []byte(text)) // writing to a builder cannot fail
	return b.String()
}

// Flush writes what was written to the archive so far.
func (b *workbook) Flush() error {
	if b.failed == nil {
		b.failed = b.archive.Flush()
	}
	return b.failed
}

// Close ends the workbook.
func (b *workbook) Close() error {
	b.text("</sheetData></worksheet>")
	return errors.Join(b.failed, b.archive.Close())
}
