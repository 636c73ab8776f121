package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/sheets"
	"github.com/kalends/kalends/calendar/wording"
)

// maxShown is the maximum number of rejected rows, and of rows with notes, that are printed. Running the import again
// after fixing these reports the next.
const maxShown = 50

// importShow prints the progress of an import: a bar on a terminal, otherwise occasional lines; rejected rows
// immediately; a summary at the end.
type importShow struct {
	p        *program
	source   *sheets.CSV
	read     *counter
	size     int64
	terminal bool
	width    int // of the current bar
	last     time.Time
	told     int // rejected rows printed
	notes    int // rows imported with changes
}

func (p *program) showImport(file *os.File, read *counter, source *sheets.CSV) *importShow {
	s := &importShow{p: p, source: source, read: read, last: time.Now()}
	if info, err := file.Stat(); err == nil {
		s.size = info.Size()
	}
	if out, ok := p.errs.(*os.File); ok {
		info, err := out.Stat()
		s.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	if len(source.Unknown) > 0 {
		fmt.Fprintf(p.errs, "columns that are ignored: %s\n", wording.Tidy(strings.Join(source.Unknown, ", ")))
	}
	return s
}

// progress prints the progress of the import.
func (s *importShow) progress(r sheets.Report) {
	part := 100
	if s.size > 0 {
		part = int(min(100, 100*s.read.bytes/s.size))
	}
	switch {
	case s.terminal:
		s.wipe()
		bar := fmt.Sprintf("[%-40s] %3d%% %d rows", strings.Repeat("#", part*40/100), part, r.Read)
		fmt.Fprint(s.p.errs, bar)
		s.width = len(bar)
	case time.Since(s.last) > 2*time.Second:
		s.last = time.Now()
		fmt.Fprintf(s.p.errs, "%d rows, %d%%\n", r.Read, part)
	}
}

// wipe clears the bar to make room for a line.
func (s *importShow) wipe() {
	if s.width > 0 {
		fmt.Fprint(s.p.errs, "\r"+strings.Repeat(" ", s.width)+"\r")
		s.width = 0
	}
}

// refused prints why a row was rejected.
func (s *importShow) refused(line int, err error) {
	if s.told++; s.told <= maxShown {
		s.tell(line, err)
	}
}

// noted prints what was changed in an imported row.
func (s *importShow) noted(line int, err error) {
	if s.notes++; s.notes <= maxShown {
		s.tell(line, err)
	}
}

func (s *importShow) tell(line int, err error) {
	s.wipe()
	for text := range strings.SplitSeq(readable(err, s.source.Column), "\n") {
		fmt.Fprintf(s.p.errs, "line %d: %s\n", line, text)
	}
}

// summary prints the summary.
func (s *importShow) summary(r sheets.Report, dry bool) {
	s.wipe()
	if s.told > maxShown {
		fmt.Fprintf(s.p.errs, "and %d more refused rows\n", s.told-maxShown)
	}
	if s.notes > maxShown {
		fmt.Fprintf(s.p.errs, "and %d more rows with notes\n", s.notes-maxShown)
	}
	made := "created"
	if dry {
		made = "would be created"
	}
	fmt.Fprintf(s.p.out, "%d rows read: %d events %s, %d already exist, %d refused\n", r.Read, r.Created, made, r.Unchanged, r.Refused)
	if r.Dates > 0 {
		fmt.Fprintf(s.p.out, "%d dates that differ from their series %s\n", r.Dates, made)
	}
	fmt.Fprintf(s.p.out, "%d venues, %d organizers, %d categories, %d tags %s\n", r.Venues, r.Organizers, r.Categories, r.Tags, made)
}

// counter counts the bytes read from a file.
type counter struct {
	from  io.Reader
	bytes int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.bytes += int64(n)
	return n, err
}
