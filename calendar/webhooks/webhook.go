// Package webhooks tells other programs about changes of a site. A webhook follows the history, and at most one message waits
// for each object. Any node can send it (rules 19).
package webhooks

import (
	"errors"
	"time"

	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/tenancy"
)

// The errors of this package.
var (
	ErrNoWebhook  = errors.New("no such webhook")
	ErrNoDelivery = errors.New("no such delivery")
)

// Payloads of messages.
const (
	Thin = "thin" // what happened, without the object
	Full = "full" // the object, too
)

// Reason says why a webhook was switched off automatically.
type Reason string

// The reasons.
const (
	OnPurpose Reason = ""       // not switched off, or switched off by a person
	Gone      Reason = "gone"   // the receiver answered 410
	Failed    Reason = "failed" // the last planned try failed
	Owner     Reason = "owner"  // its maker is no longer an administrator, or the key no longer exists
)

// Webhook is an address that receives messages about changes.
type Webhook struct {
	ID         int64
	Version    int64 // of the site at its last change
	URL        string
	Events     []string          // names of events, or Every
	Filter     changes.Narrowing // nil: all events
	Payload    string            // Thin or Full
	Language   string            // of objects; "": that of the site
	Home       string            // scheme and host of the request that created it
	User       int64             // who made it
	Credential int64             // with which key; 0: with none
	Secrets    []Secret          // what signs, the current one first
	Active     bool
	Off        Reason
	OffAt      time.Time // since when it is not active; zero: it is
	Seen       Mark      // place in the history up to which it was followed
	Created    time.Time // UTC, as all times
	Waiting    int       // how many messages wait; only as read
	Last       *Delivery // the last try; nil: there was none; only as read
}

// Mark is a position in the history of a site, by version, kind and id.
type Mark struct {
	Version int64
	Kind    string
	ID      int64
}

// Every is the name for all events.
const Every = "*"

// Delivery is one attempt to send a message.
type Delivery struct {
	ID      int64
	Message string // its name, the same at every try
	Event   string
	Kind    string // of the object
	Object  int64
	Version int64     // of the site at the change
	Changed time.Time // when it changed
	Try     int       // from 1
	At      time.Time
	Took    time.Duration
	Request string // what was sent, without the object
	Status  int    // of the answer; 0: there was none
	Answer  string // how it began
	Problem string // why there was none: one of the Problem constants
}

// Why an attempt got no response.
const (
	ProblemNone    = ""
	ProblemTimeout = "timeout" // none came in time
	ProblemAddress = "address" // the address must not be connected to
	ProblemName    = "name"    // the host has no address
	ProblemTLS     = "tls"     // the certificate is not valid
	ProblemConnect = "connect" // no connection, or it ended
)

// Succeeded reports whether the receiver took the message.
func (d *Delivery) Succeeded() bool { return d.Status >= 200 && d.Status < 300 }

// most is how many webhooks a site may have, whatever its plan allows.
const most = 100

// limit returns how many webhooks a site may have.
func limit(s *tenancy.Site) int64 {
	if n := s.Plan.Webhooks; n != nil {
		return min(*n, most)
	}
	return most
}
