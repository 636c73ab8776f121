package main

import (
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
)

// report formats the table with the conditions of the measurement.
func (b *bench) report() string {
	var s strings.Builder
	s.WriteString("# What `make bench` measured\n\n")
	s.WriteString("Ratios are those of the medians of rounds run by turns; the package comment of bench says what is compared.\n\n")
	s.WriteString("CPU is the processor time of services and database for one answer, in microseconds.\n\n")
	s.WriteString("| work | | per second | CPU | against | per second | CPU | ratio | bar | meets |\n" +
		"|---|---|---:|---:|---|---:|---:|---:|---:|---|\n")
	for i := range b.results {
		r := &b.results[i]
		fmt.Fprintf(&s, "| %s | %s | %s | %d | %s | %s | %d | %.2f | %s |\n", r.name, r.a.name, grouped(r.ours),
			r.oursCPU.Microseconds(), r.b.name, grouped(r.theirs), r.theirsCPU.Microseconds(), r.ratio(),
			meets(r.bar > 0, r.ratio() >= r.bar, fmt.Sprintf("%.2f", r.bar)))
	}
	start := median(b.starts)
	s.WriteString("\n| of one process | | bar | meets |\n|---|---:|---:|---|\n")
	fmt.Fprintf(&s, "| start to ready, Postgres running | %d ms | %s |\n", start.Milliseconds(),
		meets(true, start < longestStart, fmt.Sprint("< ", longestStart.Milliseconds(), " ms")))
	fmt.Fprintf(&s, "| resident memory after random lists of all sites | %d MiB | %s |\n", b.residentBytes>>20,
		meets(b.residentBytes > 0, b.residentBytes < mostResident, fmt.Sprint("< ", mostResident>>20, " MiB")))
	for _, l := range b.limits {
		fmt.Fprintf(&s, "| %s | %s | %s |\n", l.name, l.measured, meets(l.bar != "", l.met, l.bar))
	}
	b.conditions(&s)
	return s.String()
}

// meets returns the last two columns.
func meets(named, met bool, bar string) string {
	switch {
	case !named:
		return "|"
	case met:
		return bar + " | yes"
	}
	return bar + " | below"
}

// conditions formats the conditions of the measurement.
func (b *bench) conditions(s *strings.Builder) {
	fmt.Fprintf(s, "\n## Conditions\n\n")
	fmt.Fprintf(s, "- %s; %d cores, %s/%s, shared by load, service and database\n", b.date, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(s, "- %s, Fiber %s, pgx %s, Postgres %s flushing every commit%s, load by %s\n", runtime.Version(),
		module("github.com/gofiber/fiber/v2"), module("github.com/jackc/pgx/v5"), b.version,
		map[bool]string{true: ", Redis beside"}[b.redis != ""], loader())
	fmt.Fprintf(s, "- %d rounds of %s for each side\n", b.rounds, b.round)
	fmt.Fprintf(s, "- data: sites of 500 and 10,000 events and %d of 1,000, in all %s events with venue, organizers and terms\n",
		b.sites, grouped(float64(b.main.events())))
	fmt.Fprintf(s, "- series: a site with %s occurrences, one with %s, and one of 500 entries of which half are of series\n",
		grouped(float64(b.main.bySlug["long"].series*b.main.bySlug["long"].times)), grouped(float64(b.main.bySlug["brief"].series*b.main.bySlug["brief"].times)))
	fmt.Fprintf(s, "- load average before: %s\n", b.before)
	fmt.Fprintf(s, "- beside a site with 90 %% of all rows: %d sites of 1,000 events and one of %s\n", b.neighbours,
		grouped(float64(b.skewed.events()-1000*b.neighbours)))
	fmt.Fprintf(s, "- a list of 15 events has %s bytes\n", grouped(float64(b.listBytes)))
	if b.quick {
		s.WriteString("- quick: less data and shorter rounds than the bars are meant for\n")
	}
}

func loader() string {
	if _, err := exec.LookPath("wrk"); err != nil {
		return "a driver in Go"
	}
	return "wrk, that of writes alone by a driver in Go"
}

// module returns the version of a module built into this program.
func module(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return strings.TrimPrefix(m.Version, "v")
			}
		}
	}
	return "?"
}

// grouped formats a number with thousands separators.
func grouped(f float64) string {
	text := fmt.Sprintf("%.0f", f)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// withDatabase returns the address of another database on the same server.
func withDatabase(server, name string) (string, error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}
