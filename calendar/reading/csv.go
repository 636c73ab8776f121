package reading

import (
	"bytes"
	"iter"
	"strings"
)

// record is one row of a table as written.
type record struct {
	line  int
	cells []string
	fault string // the code of what makes it unreadable; "" if nothing
}

// csvRecords reads a table from text. Cells in quotation marks may contain line breaks and separators. If a row gets longer
// than MaxEntry because a mark is not closed, it ends with its first line.
func csvRecords(data []byte) iter.Seq[record] {
	data, separator, line := separated(data)
	return func(yield func(record) bool) {
		line := line
		for at := 0; at < len(data); {
			r := record{line: line}
			cells, next, closed := splitRecord(data[at:min(len(data), at+MaxEntry)], separator)
			if !closed {
				_, next = lineEnd(data[at:], 0)
				cells, r.fault = nil, "row-unreadable"
				if next > MaxEntry {
					r.fault = "entry-long"
				}
			}
			r.cells = cells
			line += lines(data[at : at+next])
			at += next
			if !yield(r) {
				return
			}
		}
	}
}

// separated returns the rows of a table, the separator of their cells, and the number of the first line. The
// separator is the one that Excel writes as "sep=;" above a table, otherwise the most frequent one in the first
// line.
func separated(data []byte) (rows []byte, separator byte, line int) {
	end, next := lineEnd(data, 0)
	if text, is := cutFold(strings.Trim(string(data[:min(end, 10)]), `"`), "sep="); is && len(text) == 1 {
		return data[next:], text[0], 2
	}
	quoted, counts := false, map[byte]int{}
	for _, b := range data[:min(len(data), sniffed)] {
		if b == '"' {
			quoted = !quoted
		}
		if !quoted && (b == '\n' || b == '\r') && len(counts) > 0 {
			break
		}
		if !quoted && strings.IndexByte(",;\t|", b) >= 0 {
			counts[b]++
		}
	}
	separator = ','
	for _, b := range []byte(";\t|") {
		if counts[b] > counts[separator] {
			separator = b
		}
	}
	return data, separator, 1
}

// lines returns the number of line ends in a text.
func lines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	for i, b := range text {
		if b == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			n++
		}
	}
	return n
}

// splitRecord splits the first row of a text into cells, and returns where the next row begins. It reports false if a
// quotation mark is not closed, or is closed in the middle of a cell.
func splitRecord(data []byte, separator byte) (cells []string, next int, ok bool) {
	for at := 0; ; {
		cell, end, ok := splitCell(data, at, separator)
		if !ok {
			return nil, 0, false
		}
		cells = append(cells, cell)
		switch {
		case end == len(data):
			return cells, end, true
		case data[end] == separator:
			at = end + 1
		case data[end] == '\r' && end+1 < len(data) && data[end+1] == '\n':
			return cells, end + 2, true
		default:
			return cells, end + 1, true
		}
	}
}

// splitCell returns the cell that begins at a position, and its end.
func splitCell(data []byte, at int, separator byte) (cell string, end int, ok bool) {
	ends := func(b byte) bool { return b == separator || b == '\n' || b == '\r' }
	if at == len(data) || data[at] != '"' {
		for end = at; end < len(data) && !ends(data[end]); {
			end++
		}
		return readable(data[at:end]), end, true
	}
	var text []byte
	for end = at + 1; end < len(data); end++ {
		switch {
		case data[end] != '"':
			text = append(text, data[end])
		case end+1 < len(data) && data[end+1] == '"':
			text = append(text, '"')
			end++
		default:
			for end++; end < len(data) && data[end] == ' '; {
				end++
			}
			return readable(text), end, end == len(data) || ends(data[end])
		}
	}
	return "", 0, false
}
