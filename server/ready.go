package server

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Check is a dependency of the node. Probe returns "", or a description of the problem that anyone may read,
// because /readyz is public.
type Check struct {
	Name  string
	Vital bool // without it the node must get no requests; otherwise another node would be no better
	Probe func(context.Context) (why string)
}

// finding is the result of a check.
type finding struct {
	Name  string `json:"name"`
	State string `json:"state"` // ok, warning or failing
	Why   string `json:"why,omitempty"`
}

// readiness is the response of /readyz.
type readiness struct {
	Ready  bool      `json:"ready"`
	Checks []finding `json:"checks"`
}

// probing is the time limit of all checks together.
const probing = 2 * time.Second

// ready reports whether the node should get requests, and why not: 200 or 503, as text or, if requested, JSON.
func (s *server) ready(c *fiber.Ctx) error {
	r := s.readiness(c.UserContext())
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Status(fiber.StatusOK)
	if !r.Ready {
		c.Status(fiber.StatusServiceUnavailable)
	}
	if strings.Contains(c.Get(fiber.HeaderAccept), fiber.MIMEApplicationJSON) {
		body, err := json.Marshal(r)
		if err != nil {
			return err
		}
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSONCharsetUTF8)
		return c.Send(body)
	}
	return c.SendString(r.text())
}

// readiness runs the checks concurrently.
func (s *server) readiness(ctx context.Context) readiness {
	ctx, cancel := context.WithTimeout(ctx, probing)
	defer cancel()
	r := readiness{Ready: true, Checks: make([]finding, len(s.Checks), len(s.Checks)+1)}
	var all sync.WaitGroup
	for i, check := range s.Checks {
		all.Go(func() { r.Checks[i] = check.find(ctx) })
	}
	all.Wait()
	select {
	case <-s.Stopping:
		r.Checks = append(r.Checks, finding{"running", failing, "this node is about to stop"})
	default:
	}
	for _, f := range r.Checks {
		r.Ready = r.Ready && f.State != failing
	}
	return r
}

const failing = "failing"

func (c Check) find(ctx context.Context) finding {
	why := c.Probe(ctx)
	switch {
	case why == "":
		return finding{c.Name, "ok", ""}
	case c.Vital:
		return finding{c.Name, failing, why}
	}
	return finding{c.Name, "warning", why}
}

// text returns the readiness for people: a summary, then one line per check.
func (r readiness) text() string {
	var b strings.Builder
	if r.Ready {
		b.WriteString("ok\n")
	} else {
		b.WriteString("not ready\n")
	}
	for _, f := range r.Checks {
		b.WriteString(f.Name + ": " + f.State)
		if f.Why != "" {
			b.WriteString(", " + f.Why)
		}
		b.WriteString("\n")
	}
	return b.String()
}
