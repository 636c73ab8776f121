package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// Attempt is a message that a node tries to send.
type Attempt struct {
	*Webhook

	Name     string // of the message
	Kind     string
	Object   int64
	Event    string // the event type that is sent
	Version  int64  // of the site at the change
	At       time.Time
	Try      int       // from 1
	Step     int       // how many planned tries failed
	Planned  time.Time // of the next planned try; others come between
	Troubled bool      // the last try to reach the receiver failed, or took long
	Misses   int       // number of consecutive requests of the receiver to slow down
	Lease    string
}

// Result is the result of an attempt.
type Result struct {
	Delivery

	Done    bool      // the receiver took the message
	Slow    bool      // it took its time
	Step    int       // as of Attempt, afterwards
	Planned time.Time // of the next planned try
	Due     time.Time // of the next try
	Paused  time.Time // nothing is sent to the receiver before; zero: it may be
	Misses  int
	Off     Reason // why the webhook is switched off
}

// delays are the times between planned tries. After the last, the webhook is switched off.
var delays = []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour,
	14 * time.Hour, 20 * time.Hour, 24 * time.Hour}

const (
	slowness    = 2 * time.Second // answer time from which a receiver counts as slow
	longestWait = 24 * time.Hour  // the longest pause that a receiver can ask for
	mostPause   = 5 * time.Minute // for receivers that do not say how long
	largest     = 20_000          // bytes of a message; more than that is sent without the object
)

// HTTP statuses with a special meaning.
const (
	gone           = 410
	tooMany        = 429
	badGateway     = 502
	gatewayTimeout = 504
)

// claim starts the attempts that are due for the scope's site. They run in the sender's context.
func (s *Sender) claim(ctx, sending context.Context) error {
	well, others := s.reserve(ofSite)
	list, err := s.Rounds.Claim(ctx, well, others, s.Clock())
	used := [2]int{}
	inside := tenancy.Current(ctx)
	for _, a := range list {
		used[a.lane()]++
		sending := tenancy.With(tenancy.AsProvider(sending, tenancy.Provider{Scheduled: true}), *inside)
		s.flying.Go(func() { s.try(sending, a) })
	}
	s.release(0, well-used[0])
	s.release(1, others-used[1])
	return tenancy.Wrap("claim messages", err)
}

// lane is 0 for a receiver that responds well, and 1 for others.
func (a *Attempt) lane() int {
	if a.Troubled {
		return 1
	}
	return 0
}

// reserve takes free lanes, up to a maximum number of each kind.
func (s *Sender) reserve(most int) (well, others int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	well, others = min(most, s.lanes[0]), min(most, s.lanes[1])
	s.lanes[0] -= well
	s.lanes[1] -= others
	return well, others
}

func (s *Sender) release(lane, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lanes[lane] += n
}

// try sends a message and records the result.
func (s *Sender) try(ctx context.Context, a *Attempt) {
	defer s.Wake(tenancy.Current(ctx).Site.ID)
	defer s.release(a.lane(), 1)
	r, err := s.send(ctx, a)
	switch {
	case errors.Is(err, errOff), err == nil && r == nil:
		return
	case err == nil:
		finishing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
		defer cancel()
		err = s.Rounds.Finish(finishing, a, r)
	}
	if err != nil && ctx.Err() == nil { // it is tried again when the lease is over
		s.Logger.WarnContext(ctx, "send a message of a webhook", "webhook", a.ID, "error", err)
	}
}

// send sends a message. A nil result means that it sent nothing.
func (s *Sender) send(ctx context.Context, a *Attempt) (*Result, error) {
	acting, err := s.acting(ctx, a.Webhook)
	if err != nil {
		return nil, err
	}
	scope := *tenancy.Current(acting)
	s.Scope(&scope, a.Home)
	if a.Language != "" {
		scope.Language, scope.Base.Prefix = a.Language, "/"+a.Language
		scope.At(a.Language)
	}
	acting = tenancy.With(acting, scope)
	thin, full, err := s.body(acting, a)
	if err != nil {
		return nil, err
	}
	now := s.Clock()
	secrets, err := keys(s.Box, scope.Site.ID, a.Secrets, now)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	answer := s.Courier.Send(ctx, a.URL, map[string]string{
		"webhook-id":        a.Name,
		"webhook-timestamp": strconv.FormatInt(now.Unix(), 10),
		"webhook-signature": sign(secrets, a.Name, now, full),
	}, full)
	if ctx.Err() != nil && answer.Status == 0 {
		return nil, ctx.Err() // the node ends; another one tries again
	}
	took := time.Since(began)
	r := a.result(&answer, s.Clock(), took)
	r.At, r.Request = now, string(thin)
	if s.Gauge != nil {
		s.Gauge.Webhook(r.Done, took)
	}
	return r, nil
}

// result decides what follows from a response.
func (a *Attempt) result(answer *Answer, now time.Time, took time.Duration) *Result {
	r := &Result{Slow: took >= slowness, Step: a.Step, Planned: a.Planned, Delivery: Delivery{Message: a.Name, Event: a.Event, Kind: a.Kind,
		Object: a.Object, Version: a.Version, Changed: a.At, Try: a.Try, Took: took, Status: answer.Status, Answer: answer.Body,
		Problem: answer.Problem}}
	if r.Done = r.Succeeded(); r.Done || a.Kind == testKind {
		return r
	}
	if !now.Before(a.Planned) {
		if a.Step >= len(delays) {
			r.Off = Failed
		} else {
			r.Planned = now.Add(jittered(delays[a.Step]))
		}
		r.Step++
	}
	r.Due = r.Planned
	if answer.Status == gone {
		r.Off = Gone
	}
	if wait := a.pause(answer); wait > 0 {
		r.Misses, r.Paused = a.Misses+1, now.Add(wait)
		if r.Due.Before(r.Paused) {
			r.Due = r.Paused
		}
	}
	return r
}

// jittered lengthens a delay by up to a tenth, so that messages that failed together are not all tried again together.
func jittered(d time.Duration) time.Duration { return d + time.Duration(rand.Int64N(int64(d)/10)) } //nolint:gosec // nobody guesses it

// pause returns how long nothing is sent to a receiver after its response.
func (a *Attempt) pause(answer *Answer) time.Duration {
	if answer.Wait > 0 {
		return min(answer.Wait, longestWait)
	}
	switch answer.Status {
	case tooMany, badGateway, gatewayTimeout:
		return min(delays[0]<<min(a.Misses, 10), mostPause)
	}
	return 0
}

// body returns a message as it is sent. thin is the same without the object.
func (s *Sender) body(ctx context.Context, a *Attempt) (thin, full []byte, err error) {
	message := struct {
		Type      string `json:"type"`
		Timestamp string `json:"timestamp"`
		Data      struct {
			ID      int64           `json:"id"`
			Version int64           `json:"version"`
			Site    string          `json:"site"`
			RestURL string          `json:"rest_url"`
			Object  json.RawMessage `json:"object,omitempty"`
		} `json:"data"`
	}{Type: a.Event, Timestamp: a.At.UTC().Format(time.RFC3339)}
	scope := tenancy.Current(ctx)
	message.Data.ID, message.Data.Version, message.Data.Site = a.Object, a.Version, scope.Site.Slug
	message.Data.RestURL = scope.Base.API() + "/" + collections[a.Kind] + "/" + strconv.FormatInt(a.Object, 10)
	if thin, err = json.Marshal(message); err != nil || a.Payload != Full || a.Kind == testKind {
		return thin, thin, err
	}
	object, err := s.Object(ctx, a.Kind, a.Object)
	if err != nil || object == nil {
		return thin, thin, err
	}
	message.Data.Object = object
	full, err = json.Marshal(message)
	if err != nil || len(full) > largest {
		return thin, thin, err
	}
	return thin, full, nil
}

// collections are the API's collections of each kind of object.
var collections = map[string]string{
	"event":        "events",
	"venue":        "venues",
	"organizer":    "organizers",
	"category":     "categories",
	"tag":          "tags",
	"image":        "media",
	submissionKind: "submissions",
	"import":       "imports",
	testKind:       "webhooks",
}
