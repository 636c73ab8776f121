package planner

import "testing"

// The lines of a title and of the time above it are never more than fit in the
// rows of their event, and never one line fewer than that.
func TestLinesOfASlot(t *testing.T) {
	t.Parallel()
	const row, line, around = 0.8, 0.8125 * 1.35, 0.0625 + 0.125 + 0.2 // in rem, as in board.css
	for rows := roomyRows; rows <= quarters; rows++ {
		s := slot{rows: rows}
		left := row*float64(rows) - around - line*float64(s.lines()+1)
		if s.lines() < 1 || left < 0 || left >= line && s.lines() < mostLines {
			t.Errorf("%d rows have %d lines, and %.2f rem are left", rows, s.lines(), left)
		}
	}
}
