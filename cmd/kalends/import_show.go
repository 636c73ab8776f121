package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar/imports"
	formats "github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
)

// maxShown is the maximum number of refused entries, and of entries with warnings, that are printed. Running the import again
// after fixing these reports the next.
const maxShown = 50

// importShow prints the progress of an import: a bar on a terminal, otherwise occasional lines. At the end it
// prints refused entries, entries with warnings, and a summary.
type importShow struct {
	p        *program
	terminal bool
	width    int // of the current bar
	last     time.Time
	column   func(arg string) string // the header of the column that supplies an argument, or ""
}

func (p *program) showImport() *importShow {
	s := &importShow{p: p, last: time.Now()}
	if out, ok := p.errs.(*os.File); ok {
		info, err := out.Stat()
		s.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return s
}

// progress prints the progress of the import.
func (s *importShow) progress(i *imports.Import) {
	part := int(100 * i.Progress())
	switch {
	case s.terminal:
		s.wipe()
		bar := fmt.Sprintf("[%-40s] %3d%% %d entries", strings.Repeat("#", part*40/100), part, i.Counts.Read)
		fmt.Fprint(s.p.errs, bar)
		s.width = len(bar)
	case time.Since(s.last) > 2*time.Second:
		s.last = time.Now()
		fmt.Fprintf(s.p.errs, "%d entries, %d%%\n", i.Counts.Read, part)
	}
}

// wipe clears the bar to make room for a line.
func (s *importShow) wipe() {
	if s.width > 0 {
		fmt.Fprint(s.p.errs, "\r"+strings.Repeat(" ", s.width)+"\r")
		s.width = 0
	}
}

// report prints the results of the entries.
func (s *importShow) report(ctx context.Context, service *imports.Service, i *imports.Import) error {
	s.wipe()
	s.column = (&formats.File{Columns: i.Columns}).Column
	var unknown []string
	for _, column := range i.Columns {
		if !column.Known {
			unknown = append(unknown, column.Header)
		}
	}
	if len(unknown) > 0 {
		fmt.Fprintf(s.p.errs, "columns that are ignored: %s\n", wording.Tidy(strings.Join(unknown, ", ")))
	}
	for _, left := range i.LeftOut {
		fmt.Fprintln(s.p.errs, i18n.Text("en", imports.LeftOutKey(left), map[string]any{"Count": left.Count}))
	}
	refused, warned := 0, 0
	for page := 1; i.Counts.Refused+i.Counts.Warned > 0; page++ {
		list, err := service.Entries(ctx, i.ID, &imports.EntryFilter{Page: args.Some(page), PerPage: args.Some(500)})
		if err != nil {
			return err
		}
		for _, e := range list.Items {
			s.tell(e, e.Problems, &refused)
			s.tell(e, e.Warnings, &warned)
		}
		if len(list.Items) < 500 {
			break
		}
	}
	if refused > maxShown {
		fmt.Fprintf(s.p.errs, "and %d more refused entries\n", refused-maxShown)
	}
	if warned > maxShown {
		fmt.Fprintf(s.p.errs, "and %d more entries with warnings\n", warned-maxShown)
	}
	s.summary(i)
	return nil
}

// tell prints the findings about an entry, up to maxShown entries. told counts the entries that have any.
func (s *importShow) tell(e *imports.Entry, found []imports.Finding, told *int) {
	if len(found) == 0 {
		return
	}
	if *told++; *told > maxShown {
		return
	}
	problems := &args.Problems{}
	for n := range found {
		p := found[n].Problem()
		problems.Invalid(p.Arg, p.Key, p.Data)
	}
	at := fmt.Sprintf("line %d", e.Line)
	if e.Line == 0 {
		at = fmt.Sprintf("entry %d", e.Number)
	}
	for text := range strings.SplitSeq(readable(problems.Err(), s.column), "\n") {
		fmt.Fprintf(s.p.errs, "%s: %s\n", at, strings.TrimPrefix(text, ": "))
	}
}

// summary prints the summary.
func (s *importShow) summary(i *imports.Import) {
	made := ""
	if i.DryRun {
		made = "would be "
	}
	c := i.Counts
	fmt.Fprintf(s.p.out, "%d entries read: %s%d created, %d changed, %d the same, %d cancelled, %d refused\n",
		c.Read, made, c.Created, c.Changed, c.Same, c.Cancelled, c.Refused)
}
