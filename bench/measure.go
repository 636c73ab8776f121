package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// result is the result of a work: the medians of both sides, and the processor time that services and database used
// per response.
type result struct {
	work
	ours, theirs       float64
	oursCPU, theirsCPU time.Duration
}

func (r *result) ratio() float64 { return r.ours / r.theirs }

// measure runs all works, alternating both sides.
func (b *bench) measure(ctx context.Context) error {
	wanted, err := regexp.Compile(b.only)
	if err != nil {
		return err
	}
	for _, w := range b.works() {
		if !wanted.MatchString(w.name) {
			continue
		}
		r, err := b.compare(ctx, w)
		for _, p := range b.ending {
			p.stop()
		}
		b.ending = nil
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", w.name, err, b.printed())
		}
		b.results = append(b.results, r)
		b.say("%-58s %9.0f %9.0f  %.2f   %5d µs %5d µs", w.name, r.ours, r.theirs, r.ratio(),
			r.oursCPU.Microseconds(), r.theirsCPU.Microseconds())
	}
	return nil
}

// compare runs one work: a short warm-up round and then measured rounds.
func (b *bench) compare(ctx context.Context, w work) (result, error) {
	var rates [2][]float64
	var costs [2][]time.Duration
	for round := range b.rounds + 1 {
		for i, s := range []side{w.a, w.b} {
			length := b.round
			if round == 0 {
				length = min(length, time.Second)
			}
			spent, began := b.spent(), time.Now()
			rate, err := s.run(ctx, length)
			if err != nil {
				return result{}, fmt.Errorf("%s: %w", s.name, err)
			}
			if round > 0 {
				rates[i] = append(rates[i], rate)
				answers := rate * min(time.Since(began), length).Seconds()
				costs[i] = append(costs[i], time.Duration(float64(b.spent()-spent)/max(answers, 1)))
			}
		}
	}
	return result{w, median(rates[0]), median(rates[1]), median(costs[0]), median(costs[1])}, nil
}

func median[T int | float64 | time.Duration](list []T) T {
	slices.Sort(list)
	n := len(list)
	return (list[(n-1)/2] + list[n/2]) / 2
}
