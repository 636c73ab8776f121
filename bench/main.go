// Bench measures Kalends beside its own limits, all in one run:
//
//	go run ./bench            the whole table, written to bench/RESULTS.md
//	go run ./bench -quick     a few minutes, less data, shorter rounds
//	go run ./bench hosting    10,000 sites on one node, written to bench/HOSTING.md
//
// It starts a Postgres of its own (or uses TEST_DATABASE_URL) that flushes every
// commit, loads the data with COPY, builds kalends, starts it as processes of
// their own, and beside them the peers, which are programs a developer could
// write to have the same answer with less:
//
//   - raw: the same Fiber with the same configuration, answering with the same
//     bytes from memory, without any of the headers but the content type. It is
//     the limit of an answer that is kept.
//   - redis: the same bytes, fetched from Redis through go-redis for each
//     request.
//   - plain: a list or an event by one hand-written statement over plain
//     normalised tables with the best index for it: no row-level security, no
//     arguments beyond these, binary values straight from the wire, JSON
//     appended by hand. Its answers are the same byte for byte, which is checked
//     before anything is measured. It is the limit of an answer that is made. It
//     also makes events: one statement, without rights, rules, history, counts or
//     versions, and the event is read back.
//   - memory: the same program with venues, organizers and terms in memory as JSON,
//     for good; nobody may change them.
//   - bare: the transaction that inserts the rows of a new event into the tables
//     Kalends keeps them in, sent as one batch, without HTTP, rules, counts or
//     versions; and beside it the same without foreign keys and history.
//
// # How to read it
//
// Absolute figures tell of the machine; ratios travel. Both sides of a ratio run
// by turns, in rounds of a few seconds, on the same data and with the same load
// program, so that what disturbs one disturbs the other, and the ratio is that
// of the medians. Load, service and database share the cores: what the load
// program costs is part of both sides and pulls each ratio towards 1 a little.
// Nothing counts that isn't right: an answer of another status than expected
// ends the run. Beside each rate stands the processor time that services and
// database took for an answer: it says what a rate would be with the machine to
// itself, and stays when something else takes a share of it.
//
// Rows that compare Kalends with itself (a deep page with the first, many sites
// with one) name both sides. Rows without a bar are there to explain others.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	quick      bool
	sites      int // of 1,000 events each
	neighbours int // sites of 1,000 events beside one that holds 90 % of all rows
	rounds     int
	round      time.Duration
	date       string
	only       string
	results    string
	keep       bool
	million    bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var err error
	switch {
	case len(os.Args) > 2 && os.Args[1] == "peer":
		err = runPeer(ctx, os.Args[2])
	case len(os.Args) > 4 && os.Args[1] == "noise":
		err = runNoise(ctx, os.Args[2], os.Args[3], os.Args[4:])
	case len(os.Args) > 1 && os.Args[1] == "hosting":
		err = runHosting(ctx, readFlags(os.Args[2:], 10_000, 500, "bench/HOSTING.md"))
	default:
		err = run(ctx, readFlags(os.Args[1:], 1000, 50, "bench/RESULTS.md"))
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: "+err.Error())
		os.Exit(1)
	}
}

// readFlags reads the flags; so many sites there are, or when it must be quick.
func readFlags(from []string, sites, quickSites int, results string) options {
	var o options
	flag.BoolVar(&o.quick, "quick", false, "less data and shorter rounds")
	flag.IntVar(&o.sites, "sites", sites, "sites of 1,000 events; for hosting sites of 20")
	flag.IntVar(&o.neighbours, "neighbours", 60, "sites of 1,000 events beside the one with 90 % of all rows")
	flag.IntVar(&o.rounds, "rounds", 3, "rounds of each side")
	flag.DurationVar(&o.round, "round", 3*time.Second, "length of a round")
	flag.StringVar(&o.date, "date", time.Now().UTC().Format(time.DateOnly), "day around which events lie, and of the report")
	flag.StringVar(&o.only, "only", "", "regular expression of the works, or parts of hosting, to measure; nothing is written then")
	flag.StringVar(&o.results, "results", results, "file of the report")
	flag.BoolVar(&o.keep, "keep", false, "after the run leave everything running until interrupted")
	flag.BoolVar(&o.million, "million", false, "for hosting: the site of very many events has a million, not 200,000")
	_ = flag.CommandLine.Parse(from) // ends the program itself when one is wrong
	o.sites, o.neighbours, o.rounds = max(o.sites, 1), max(o.neighbours, 1), max(o.rounds, 1)
	if o.quick {
		o.sites, o.neighbours = min(o.sites, quickSites), min(o.neighbours, 10)
		o.rounds, o.round = min(o.rounds, 3), min(o.round, time.Second)
	}
	return o
}

// run is the whole measurement.
func run(ctx context.Context, o options) (err error) {
	b := &bench{options: o, out: os.Stdout, before: loadAverage()}
	defer func() { b.close() }()
	if b.today, err = time.Parse(time.DateOnly, o.date); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{b.prepare, b.startAll, b.check, b.measure, b.resources, b.series, b.overload} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	report := b.report()
	fmt.Fprint(b.out, "\n"+report)
	if o.only == "" {
		err = os.WriteFile(o.results, []byte(report), 0o600)
	}
	if o.keep {
		fmt.Fprintln(b.out, b.addresses())
		<-ctx.Done()
	}
	return err
}
