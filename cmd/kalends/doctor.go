package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// doctor looks at everything the service needs and says what to do.
type doctor struct {
	JSON bool `name:"json" help:"Print the findings as JSON."`
}

// finding is one line of the doctor.
type finding struct {
	Check  string `json:"check"`
	State  string `json:"state"` // ok, warn or fail
	Detail string `json:"detail"`
}

// findings grow as the checks are made.
type findings []finding

func (f *findings) ok(check, format string, values ...any)   { f.add(check, "ok", format, values) }
func (f *findings) warn(check, format string, values ...any) { f.add(check, "warn", format, values) }
func (f *findings) fail(check, format string, values ...any) { f.add(check, "fail", format, values) }

func (f *findings) add(check, state, format string, values []any) {
	*f = append(*f, finding{check, state, fmt.Sprintf(format, values...)})
}

// errSick ends the command with 1.
var errSick = errors.New("something has to be mended before the service runs well")

// checkup is how long the doctor waits for others.
const checkup = 20 * time.Second

// Run implements the command. It changes nothing; in a bucket it writes something
// and removes it.
func (d *doctor) Run(p *program) error {
	ctx, cancel := context.WithTimeout(p.ctx, checkup)
	defer cancel()
	var found findings
	p.checkSettings(&found)
	p.checkDatabase(ctx, &found)
	p.checkReplica(ctx, &found)
	p.checkRedis(ctx, &found)
	p.checkFolder(&found)
	p.checkPictures(ctx, &found)
	p.checkOwner(ctx, &found)
	p.checkNetwork(ctx, &found)
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
