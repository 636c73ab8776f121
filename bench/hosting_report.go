package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// table formats the results of hosting.
func (h *hosting) table() string {
	var s strings.Builder
	s.WriteString("# What `make bench-hosting` measured\n\n" +
		"Many sites on one node. Ratios compare latencies. The rounds of the two sides alternate.\n\n" +
		"| | | bar | meets |\n|---|---:|---:|---|\n")
	line := func(name, value, rest string) { fmt.Fprintf(&s, "| %s | %s | %s |\n", name, value, rest) }
	c := summed(h.creates)
	line("sites created per second", grouped(float64(c.n)/h.creating.Seconds()), "|")
	line("one site created, median", ms(c.p50), "|")
	line("one site created, p99", ms(c.p99), meets(true, c.p99 < slowestCreate, "< "+ms(slowestCreate)))
	for _, l := range h.lists {
		line(l.name+", first list of each site, median and p99", ms(l.first.p50)+", "+ms(l.first.p99), "|")
		line(l.name+", 10 sites, median and p99", ms(l.few.p50)+", "+ms(l.few.p99), "|")
		line(fmt.Sprintf("%s, all %s sites, median and p99", l.name, grouped(float64(h.sites-1))), ms(l.all.p50)+", "+ms(l.all.p99), "|")
		ratio := float64(l.few.p50) / float64(l.all.p50)
		line(l.name+", 10 sites / all, median", fmt.Sprintf("%.2f", ratio), meets(l.even, ratio >= evenest, fmt.Sprintf("%.2f", evenest)))
		line(l.name+", resident memory after a list of every site", fmt.Sprintf("%d MiB", l.resident>>20),
			meets(l.mostResident > 0, l.resident < l.mostResident, fmt.Sprint("< ", l.mostResident>>20, " MiB")))
	}
	h.neighbours(line)
	line("database bytes of an empty site", grouped(h.emptySite), "|")
	line("database bytes of an event created through the API, including history and indexes", grouped(h.eventBytes), "|")
	line(fmt.Sprintf("database bytes of an event of a small site, including its share of %d venues, organizers and %d terms",
		h.data.sites[0].places(), categories+tags), grouped(h.filledEvent), "|")
	h.hostingConditions(&s)
	return s.String()
}

// neighbours formats the results of neighbors of noisy sites.
func (h *hosting) neighbours(line func(name, value, rest string)) {
	for _, node := range [][]string{{quiet, noisy, limited}, {quietCached, noisyCached}, {quietMany, noisyBig, noisyMany}} {
		alone := summed(h.neighbour[node[0]])
		if alone.n == 0 {
			continue
		}
		line("neighbours' "+node[0]+", median and p99", ms(alone.p50)+", "+ms(alone.p99), "|")
		for _, state := range node[1:] {
			f := summed(h.neighbour[state])
			ratio := float64(f.p99) / float64(alone.p99)
			line(state+", median and p99", ms(f.p50)+", "+ms(f.p99), "|")
			line(state+", p99 / alone", fmt.Sprintf("%.2f", ratio), meets(true, ratio <= mostDisturbed, fmt.Sprintf("≤ %.1f", mostDisturbed)))
		}
	}
}

// noises formats the results of clients of noisy sites.
func (h *hosting) noises(s *strings.Builder) {
	for _, state := range []string{noisy, limited, noisyCached, noisyBig, noisyMany} {
		if n := h.noise[state]; n != nil {
			fmt.Fprintf(s, "- %s: its clients got %s answers and %s refusals (429, 503) per second; %d requests failed\n", state,
				grouped(float64(n.Answered)/n.lasted.Seconds()), grouped(float64(n.Refused)/n.lasted.Seconds()), n.Failed)
		}
	}
}

// hostingConditions formats the conditions of the measurement.
func (h *hosting) hostingConditions(s *strings.Builder) {
	fmt.Fprintf(s, "\n## Conditions\n\n- %s; %d cores, %s/%s, shared by load, service and database; load average at the end %s\n",
		h.date, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, loadAverage())
	fmt.Fprintf(s, "- %s, Fiber %s, pgx %s, Postgres %s flushing every commit, no Redis\n", runtime.Version(),
		module("github.com/gofiber/fiber/v2"), module("github.com/jackc/pgx/v5"), h.version)
	fmt.Fprintf(s, "- %s sites of %d events, created by 4 connections through the provider's interface, filled by COPY\n",
		grouped(float64(h.sites)), eventsOfEach)
	fmt.Fprintf(s, "- lists by 4 connections; %d rounds of %s for each side\n", h.rounds, h.round)
	fmt.Fprintf(s, "- %d connections send requests to a noisy site without a pause, whatever the answer; the plan allows %d requests "+
		"a minute; one connection sends requests to the neighbours, nine sites, 2 ms apart; the noisy clients run in a separate "+
		"process with the lowest priority, so that they load the service but use only the processor time that it and the database "+
		"leave; real clients use none\n", connections, requestsMinute)
	h.noises(s)
	if h.filling > 0 {
		fmt.Fprintf(s, "- the site with very many events has %s events, filled by COPY in %s\n", grouped(float64(h.big.events)), h.filling.Round(time.Second))
	}
	if h.quick {
		s.WriteString("- quick: fewer sites and shorter rounds than the bars are meant for\n")
	}
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond)) }
