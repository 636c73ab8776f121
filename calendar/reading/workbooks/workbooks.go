// Package workbooks reads the tables of Excel workbooks (ECMA-376) as rows of text, as a spreadsheet shows them. It knows
// nothing about what the tables are about.
package workbooks

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Errors about a workbook as a whole.
var (
	ErrUnknown  = errors.New("the file is of no known format")
	ErrLarge    = errors.New("the file is too large")
	ErrDamaged  = errors.New("the file cannot be read to its end")
	ErrProtects = errors.New("the workbook is protected by a password")
)

// Limits of what is read.
type Limits struct {
	Bytes int64 // of a workbook, unpacked; also of the texts of a table, where a text that cells share counts for each of them
	Row   int   // bytes of one row
}

// Workbook is an Excel workbook. Its tables are read as streams, from the beginning each time.
type Workbook struct {
	Sheets []string // the files of the visible tables, in order

	files   map[string]*zip.File
	strings []string // that cells refer to
	styles  []style  // likewise
	since   bool     // days are counted since 1904
	left    int64    // remaining bytes for unpacked data
	limits  Limits
}

// Row is one row of a table.
type Row struct {
	Number int // from 1
	Cells  []string
	Long   bool // it is longer than Limits.Row, and its cells are left out
}

// IsProtected reports whether a file is an encrypted workbook.
func IsProtected(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) &&
		bytes.Contains(data, []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e"))
}

// mostFiles is the maximum number of files in a workbook.
const mostFiles = 10_000

// Open reads everything except the tables. It returns one of the errors above.
func Open(data []byte, l Limits) (*Workbook, error) {
	if IsProtected(data) {
		return nil, ErrProtects
	}
	if bytes.Count(data, []byte("PK\x01\x02")) > mostFiles {
		return nil, ErrDamaged
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, ErrDamaged
	}
	w := &Workbook{files: map[string]*zip.File{}, left: l.Bytes, limits: l}
	for _, file := range archive.File {
		w.files[strings.ToLower(strings.TrimPrefix(file.Name, "/"))] = file
	}
	if w.files["xl/workbook.xml"] == nil {
		return nil, ErrUnknown
	}
	targets := map[string]string{}
	ids := []string{}
	for name, read := range map[string]func(xml.StartElement, *xml.Decoder) error{
		"xl/_rels/workbook.xml.rels": func(e xml.StartElement, _ *xml.Decoder) error {
			if e.Name.Local == "Relationship" {
				targets[attribute(e, "Id")] = attribute(e, "Target")
			}
			return nil
		},
		"xl/workbook.xml": func(e xml.StartElement, _ *xml.Decoder) error {
			switch {
			case e.Name.Local == "workbookPr":
				w.since = attribute(e, "date1904") == "1" || attribute(e, "date1904") == "true"
			case e.Name.Local == "sheet" && !strings.Contains(strings.ToLower(attribute(e, "state")), "hidden"):
				ids = append(ids, attribute(e, "id"))
			}
			return nil
		},
		"xl/sharedstrings.xml": w.shared,
		"xl/styles.xml":        (&styling{Workbook: w, formats: map[string]string{}}).element,
	} {
		if err := w.elements(name, read); err != nil {
			return nil, err
		}
	}
	for _, id := range ids {
		target := targets[id]
		if !strings.HasPrefix(target, "/") {
			target = path.Join("xl", target)
		}
		if target = strings.ToLower(strings.TrimPrefix(target, "/")); w.files[target] != nil {
			w.Sheets = append(w.Sheets, target)
		}
	}
	return w, nil
}

// attribute returns an attribute of an element, or "".
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// boundedReader reads at most left bytes, and then returns ErrLarge. It also returns ErrLarge for a tag that is longer than
// any that programs write, because a decoder holds all attributes of a tag in memory.
type boundedReader struct {
	from  io.Reader
	left  *int64
	tag   int  // bytes of the open tag; 0 if none is open
	plain bool // it is a comment or an instruction, where quotation marks have no meaning
	quote byte // the quotation mark that an attribute began with; 0 if none is open
}

// longestTag is the maximum length of a tag, in bytes.
const longestTag = 64 << 10

func (b *boundedReader) Read(p []byte) (int, error) {
	if *b.left <= 0 {
		return 0, ErrLarge
	}
	n, err := b.from.Read(p[:min(int64(len(p)), *b.left)])
	*b.left -= int64(n)
	for _, c := range p[:n] {
		switch {
		case b.tag == 0 && c != '<':
			continue
		case b.quote != 0:
			if c == b.quote {
				b.quote = 0
			}
		case b.tag == 1 && (c == '!' || c == '?'):
			b.plain = true
		case !b.plain && (c == '"' || c == '\''):
			b.quote = c
		case c == '>':
			b.tag, b.plain = 0, false
			continue
		}
		if b.tag++; b.tag > longestTag {
			return 0, ErrLarge
		}
	}
	return n, err
}

// elements calls a function for each start of an element in a file. If the file does not exist, there are none.
func (w *Workbook) elements(name string, read func(xml.StartElement, *xml.Decoder) error) error {
	return w.tokens(name, &w.left, func(token xml.Token, d *xml.Decoder) error {
		if e, begins := token.(xml.StartElement); begins {
			return read(e, d)
		}
		return nil
	})
}

// tokens calls a function for each token of a file.
func (w *Workbook) tokens(name string, left *int64, read func(xml.Token, *xml.Decoder) error) error {
	file := w.files[name]
	if file == nil {
		return nil
	}
	content, err := file.Open()
	if err != nil {
		return ErrDamaged
	}
	defer content.Close()
	d := xml.NewDecoder(&boundedReader{from: content, left: left})
	d.Strict = false
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return broken(err)
		}
		if err := read(token, d); err != nil {
			return err
		}
	}
}

// broken returns why a file of a workbook ends early: ErrLarge or ErrDamaged.
func broken(err error) error {
	if errors.Is(err, ErrLarge) {
		return ErrLarge
	}
	return ErrDamaged
}

// shared reads one of the strings that cells refer to.
func (w *Workbook) shared(e xml.StartElement, d *xml.Decoder) error {
	if e.Name.Local != "si" {
		return nil
	}
	text, err := textWithin(d, "si")
	w.strings = append(w.strings, text)
	return err
}

// textWithin returns the text of an open element, without pronunciation hints.
func textWithin(d *xml.Decoder, name string) (string, error) {
	var b strings.Builder
	inText, spoken := false, false
	for {
		token, err := d.RawToken()
		if err != nil {
			return "", broken(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "t"
			spoken = spoken || token.Name.Local == "rPh"
		case xml.CharData:
			if inText && !spoken {
				b.Write(token)
			}
		case xml.EndElement:
			switch inText = false; token.Name.Local {
			case name:
				return unescapedXML(b.String()), nil
			case "rPh":
				spoken = false
			}
		}
	}
}

// escapedXML matches a character that a workbook writes as its code (ECMA-376 part 1, §22.4.2.4).
var escapedXML = regexp.MustCompile(`_x([0-9A-Fa-f]{4})_`)

// unescapedXML replaces the codes of characters in a text by the characters.
func unescapedXML(text string) string {
	return escapedXML.ReplaceAllStringFunc(text, func(found string) string {
		code, _ := strconv.ParseUint(found[2:6], 16, 16) // which it matches
		return string(rune(code))
	})
}

// Check reads a table to its end, and returns why it cannot be read: ErrLarge or ErrDamaged.
func (w *Workbook) Check(sheet string) error {
	return w.walk(sheet, func(Row) bool { return true })
}

// Rows returns the rows of a table. Check must have read it without an error before.
func (w *Workbook) Rows(sheet string) iter.Seq[Row] {
	return func(yield func(Row) bool) { _ = w.walk(sheet, yield) }
}

// errStop ends the reading of a table.
var errStop = errors.New("stop")

// mostColumns is the maximum number of columns read from a workbook. Excel allows 16,384, and a row may contain only the last
// one.
const mostColumns = 1000

// walk reads the rows of a table.
func (w *Workbook) walk(sheet string, yield func(Row) bool) error {
	left, number := w.left, 0
	row := growing{longest: w.limits.Row, left: w.limits.Bytes}
	err := w.tokens(sheet, &left, func(token xml.Token, d *xml.Decoder) error {
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "row":
				number++
				if n, err := strconv.Atoi(attribute(token, "r")); err == nil && n >= number {
					number = n
				}
				row.Row, row.size = Row{Number: number}, 0
			case "c":
				text, err := w.cell(token, d)
				if err != nil {
					return err
				}
				return row.add(attribute(token, "r"), text)
			}
		case xml.EndElement:
			if token.Name.Local == "row" && !yield(row.Row) {
				return errStop
			}
		}
		return nil
	})
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

// growing is a row that is being read.
type growing struct {
	Row
	size    int   // bytes of its texts
	longest int   // Limits.Row
	left    int64 // remaining bytes for the texts of the table
}

// add adds the text of the cell at ref, such as "AB12". It returns ErrLarge if the table has too many texts.
func (r *growing) add(ref, text string) error {
	if r.size += len(text); r.size > r.longest {
		r.Cells, r.Long = nil, true
	}
	if r.Long {
		return nil
	}
	if r.left -= int64(len(text)); r.left < 0 {
		return ErrLarge
	}
	r.Cells = put(r.Cells, columnOf(ref, len(r.Cells)), text)
	return nil
}

// put sets the cell of a column.
func put(cells []string, column int, text string) []string {
	if text == "" || column >= mostColumns {
		return cells
	}
	if column >= len(cells) {
		cells = append(cells, slices.Repeat([]string{""}, column+1-len(cells))...)
	}
	cells[column] = text
	return cells
}

// columnOf returns the number, from 0, of the column of a cell such as "AB12", or next if the text is not a cell.
func columnOf(ref string, next int) int {
	n := 0
	for _, r := range strings.ToUpper(ref) {
		if r < 'A' || r > 'Z' || n > mostColumns {
			break
		}
		n = n*26 + int(r-'A') + 1
	}
	if n == 0 {
		return next
	}
	return n - 1
}

// cell returns the text of a cell.
func (w *Workbook) cell(e xml.StartElement, d *xml.Decoder) (string, error) {
	value, inValue, inline := "", false, ""
	for {
		token, err := d.RawToken()
		if err != nil {
			return "", broken(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if inValue = token.Name.Local == "v"; token.Name.Local == "is" {
				if inline, err = textWithin(d, "is"); err != nil {
					return "", err
				}
			}
		case xml.CharData:
			if inValue && len(value) <= w.limits.Row {
				value += string(token)
			}
		case xml.EndElement:
			if inValue = false; token.Name.Local == "c" {
				return w.shown(attribute(e, "t"), attribute(e, "s"), value, inline), nil
			}
		}
	}
}

// shown returns the text of a cell, given its type, style and content.
func (w *Workbook) shown(kind, styled, value, inline string) string {
	value = strings.TrimSpace(value)
	switch kind {
	case "s":
		if n, err := strconv.Atoi(value); err == nil && n >= 0 && n < len(w.strings) {
			return w.strings[n]
		}
		return ""
	case "inlineStr":
		return inline
	case "b":
		return map[string]string{"1": "TRUE", "0": "FALSE"}[value]
	case "str", "e", "d":
		return value
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return value
	}
	s := style{}
	if i, err := strconv.Atoi(styled); err == nil && i >= 0 && i < len(w.styles) {
		s = w.styles[i]
	}
	return s.text(n, w.since)
}
