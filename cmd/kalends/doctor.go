package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// doctor checks everything that the service needs, and says what to fix.
type doctor struct {
	JSON bool `name:"json" help:"Print the findings as JSON."`
}

// finding is one line of output.
type finding struct {
	Check  string `json:"check"`
	State  string `json:"state"` // ok, warn or fail
	Detail string `json:"detail"`
}

// findings collects the results of the checks.
type findings []finding

func (f *findings) ok(check, format string, values ...any)   { f.add(check, "ok", format, values) }
func (f *findings) warn(check, format string, values ...any) { f.add(check, "warn", format, values) }
func (f *findings) fail(check, format string, values ...any) { f.add(check, "fail", format, values) }

func (f *findings) add(check, state, format string, values []any) {
	*f = append(*f, finding{check, state, fmt.Sprintf(format, values...)})
}

// errSick makes the command exit with 1.
var errSick = errors.New("some problems have to be fixed")

// checkup is the time limit of each check. One that is unanswered must not affect the next.
const checkup = 5 * time.Second

// Run implements the command. It changes nothing, except that it writes and removes a file in a bucket.
func (d *doctor) Run(p *program) error {
	found := p.examine(p.ctx, checkup)
	if d.JSON {
		if err := p.print(found); err != nil {
			return err
		}
	} else {
		for _, f := range found {
			fmt.Fprintf(p.out, "%-4s  %-18s %s\n", f.State, f.Check, f.Detail)
		}
	}
	for _, f := range found {
		if f.State == "fail" {
			return errSick
		}
	}
	return nil
}

// examine runs all checks, each with a time limit.
func (p *program) examine(ctx context.Context, timeout time.Duration) (found findings) {
	for _, check := range []func(context.Context, *findings){p.checkSettings, p.checkConsole, p.checkDatabase, p.checkRedis,
		p.checkFolder, p.checkPictures, p.checkOwner, p.checkNetwork, p.checkZones} {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		check(ctx, &found)
		cancel()
	}
	return found
}
