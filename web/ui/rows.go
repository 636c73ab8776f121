package ui

import (
	"bytes"
	"fmt"
)

// rowsFile is the name of the rules of rows among the style sheets.
const rowsFile = "rows"

// The grid of a week in the administration's calendar.
const (
	quarters  = 24 * 4
	mostLanes = 4  // events side by side
	laneWidth = 12 // columns of a day, which mostLanes and all numbers below divide
	mostLines = 12 // of a title
	weekdays  = 7
	mostDepth = 5 // of categories within each other
)

// toneRules returns a class for each tone: its line, its ground, and its ground for white text.
func toneRules() []byte {
	var sheet bytes.Buffer
	for tone, ground := range deep {
		fmt.Fprintf(&sheet, ".tone-%[1]d { --tone: var(--tone-%[1]d); --ground: var(--ground-%[1]d); --deep: %[2]s; }\n", tone, ground)
	}
	return sheet.Bytes()
}

// rows returns the rules that place events in the grid of a week: where they begin and how long they are in quarters of an hour, in which
// of how many lanes they stand, and how many lines their titles have; which day a column is, how many days a bar is over, and how deep a
// category is. Pages allow no styles of their own.
func rows() []byte {
	var sheet bytes.Buffer
	for n := 1; n <= quarters; n++ {
		fmt.Fprintf(&sheet, ".at-%d { grid-row-start: %d; }\n.for-%d { grid-row-end: span %d; }\n", n-1, n, n, n)
	}
	for lanes := 1; lanes <= mostLanes; lanes++ {
		width := laneWidth / lanes
		for n := range lanes {
			fmt.Fprintf(&sheet, ".lane-%d-%d { grid-column: %d / span %d; }\n", n+1, lanes, n*width+1, width)
		}
	}
	for n := 1; n <= mostLines; n++ {
		fmt.Fprintf(&sheet, ".lines-%d { --lines: %d; }\n", n, n)
	}
	for n := 1; n <= weekdays; n++ {
		fmt.Fprintf(&sheet, ".column:nth-of-type(%d) { --nth: %d; }\n", n, n)
		if n > 1 {
			fmt.Fprintf(&sheet, ".over-%d { --over: %d; }\n", n, n)
		}
	}
	for n := 1; n <= mostDepth; n++ {
		fmt.Fprintf(&sheet, ".depth-%d { --depth: %d; }\n", n, n)
	}
	return sheet.Bytes()
}
