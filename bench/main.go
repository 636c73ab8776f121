// Bench measures Kalends against reference programs and against itself:
//
//	go -C bench run .            the whole table, written to bench/RESULTS.md
//	go -C bench run . -quick     a few minutes, less data, shorter rounds
//	go -C bench run . hosting    10,000 sites on one node, written to bench/HOSTING.md
//	go -C bench run . waiting http://localhost:8080 PID 10000
//	                             what followers cost that wait for changes of the site at
//	                             that address, served by that process
//
// It starts its own Postgres (or uses TEST_DATABASE_URL) with durable commits, loads
// the data with COPY, builds kalends and starts it in separate processes, together
// with the peers: programs that a developer could write to get the same response with
// less effort:
//
//   - raw: Fiber with the same configuration, returning the same bytes from memory with
//     no header but the content type. It is the limit for cached responses.
//   - redis: the same bytes, fetched from Redis through go-redis for each request.
//   - plain: a list or an event from one hand-written statement on plain normalized
//     tables with the best index for it: no row-level security, no other arguments,
//     binary values from the wire, JSON appended by hand. Its responses are identical
//     byte for byte, which is verified before measuring. It is the limit for computed
//     responses. It also creates events with one statement, without permissions, rules,
//     history, counts or versions, and reads the event back.
//   - memory: the same program with venues, organizers and terms kept in memory as JSON;
//     nobody may change them.
//   - bare: the transaction that inserts the rows of a new event into the tables of
//     Kalends, sent as one batch, without HTTP, rules, counts or versions; and the same
//     without foreign keys and history.
//
// # How to read the results
//
// Absolute figures depend on the machine; ratios carry over. Both sides of a ratio run
// alternately, in rounds of a few seconds, on the same data and with the same load
// program, so that disturbances affect both, and the ratio is that of the medians. Load,
// service and database share the cores: the cost of the load program is part of both
// sides and moves each ratio slightly towards 1. Only correct responses count: an
// unexpected status ends the run. Next to each rate is the processor time that services
// and database used per response. It indicates the rate on an otherwise idle machine,
// and stays the same if something else uses part of it.
//
// Rows that compare Kalends with itself (a deep page with the first, many sites with
// one) name both sides. Rows without a target explain others.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	quick      bool
	sites      int // of 1,000 events each
	neighbours int // sites of 1,000 events next to one that holds 90 % of all rows
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
	case len(os.Args) > 4 && os.Args[1] == "waiting":
		followers, _ := strconv.Atoi(os.Args[4])
		err = runWaiting(ctx, os.Args[2], os.Args[3], followers)
	case len(os.Args) > 1 && os.Args[1] == "hosting":
		err = runHosting(ctx, readFlags(os.Args[2:], 10_000, 500, "HOSTING.md"))
	default:
		err = run(ctx, readFlags(os.Args[1:], 1000, 50, "RESULTS.md"))
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: "+err.Error())
		os.Exit(1)
	}
}

// readFlags parses the flags. The numbers are the default numbers of sites, in full and with -quick.
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
	_ = flag.CommandLine.Parse(from) // exits if a flag is invalid
	o.sites, o.neighbours, o.rounds = max(o.sites, 1), max(o.neighbours, 1), max(o.rounds, 1)
	if o.quick {
		o.sites, o.neighbours = min(o.sites, quickSites), min(o.neighbours, 10)
		o.rounds, o.round = min(o.rounds, 3), min(o.round, time.Second)
	}
	return o
}

// run runs the whole measurement.
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
