package kit

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar/courier"
	"github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/outbound"
	"github.com/kalends/kalends/internal/secrets"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/storage/storagetest"
	hookstore "github.com/kalends/kalends/storage/webhooks"
)

// bearer is a courier that also connects to the receivers of the test, which begin to listen later than the kit.
type bearer struct {
	mu      sync.Mutex
	hosts   []string
	courier *courier.Courier
}

func newBearer() *bearer { return &bearer{courier: courier.New(outbound.NewGuard(nil, true))} }

func (b *bearer) allow(host string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hosts = append(b.hosts, host)
	b.courier = courier.New(outbound.NewGuard(b.hosts, true))
}

// as lets a courier connect to whatever another one may connect to by now.
func (b *bearer) as(other *bearer) {
	other.mu.Lock()
	hosts := slices.Clone(other.hosts)
	other.mu.Unlock()
	for _, host := range hosts {
		b.allow(host)
	}
}

func (b *bearer) now() *courier.Courier {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.courier
}

// Send implements webhooks.Courier.
func (b *bearer) Send(ctx context.Context, address string, headers map[string]string, body []byte) webhooks.Answer {
	return b.now().Send(ctx, address, headers, body)
}

// Check implements webhooks.Door.
func (b *bearer) Check(u *url.URL) error { return b.now().Check(u) }

// box returns what seals the secrets of a purpose.
func (k *Kit) box(purpose string) *secrets.Box {
	secret, err := platformstore.Secret(context.Background(), k.DB.Engine(), wording.Folding)
	k.Must(err)
	box, err := secrets.NewBox(secret, purpose)
	k.Must(err)
	return box
}

// hooks returns the service over webhooks and what sends their messages.
func (k *Kit) hooks(post letters.Post, now func() time.Time) (*webhooks.Service, *webhooks.Sender) {
	k.later = &atomic.Int64{}
	clock := func() time.Time { return now().Add(time.Duration(k.later.Load())) }
	box := k.box("webhooks")
	store := hookstore.New(k.DB.Engine())
	k.bearer = newBearer()
	sender := webhooks.NewSender(webhooks.SenderOptions{Rounds: store, Changes: k.DB.Changes(), Box: box, Courier: k.bearer,
		Actors: k.Platform.Authenticator, Letters: letters.Webhooks(k.Platform, post, "/admin/webhooks"), Object: api.New(k.Calendar).Object,
		Scope: api.HomeOf(k.Platform.Resolver), Clock: clock})
	return webhooks.New(webhooks.Options{Store: store, Changes: k.DB.Changes(), Box: box, Door: k.bearer, Languages: i18n.Languages(),
		Home: k.Platform.Resolver.Sent, Clock: clock, Wake: sender.Wake}), sender
}

// Later has the time pass for webhooks, and sees to them.
func (k *Kit) Later(d time.Duration) {
	k.T.Helper()
	k.later.Add(int64(d))
	k.Sender.Round(context.Background())
}

// Deliver sends messages of webhooks until the test ends.
func (k *Kit) Deliver() {
	k.T.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		k.Sender.Run(ctx)
	}()
	k.T.Cleanup(func() {
		cancel()
		<-ended
	})
}

// Receiver is a program that webhooks send their messages to.
type Receiver struct {
	URL string
	t   testing.TB

	mu     sync.Mutex
	got    []Message
	answer http.HandlerFunc
}

// Message is what a receiver got.
type Message struct {
	Header http.Header
	Body   []byte
	Type   string `json:"type"`
	Time   string `json:"timestamp"`
	Data   struct {
		ID      int64           `json:"id"`
		Version int64           `json:"version"`
		Site    string          `json:"site"`
		RestURL string          `json:"rest_url"`
		Object  json.RawMessage `json:"object"`
	} `json:"data"`
	Answered int // status
}

// Receive begins to listen. Every message is answered with 204 until Answer says otherwise.
func (k *Kit) Receive() *Receiver {
	k.T.Helper()
	r := &Receiver{t: k.T}
	server := httptest.NewServer(r)
	k.T.Cleanup(server.Close)
	r.URL = server.URL + "/hook"
	k.bearer.allow(server.Listener.Addr().String())
	return r
}

// ServeHTTP implements http.Handler.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	m := Message{Header: req.Header.Clone(), Answered: http.StatusNoContent}
	var err error
	if m.Body, err = io.ReadAll(req.Body); err == nil {
		err = json.Unmarshal(m.Body, &m)
	}
	if err != nil {
		r.t.Errorf("a message can't be read: %v", err)
	}
	r.mu.Lock()
	answer := r.answer
	r.mu.Unlock()
	if answer != nil {
		record := &noting{ResponseWriter: w, status: http.StatusOK}
		answer(record, req)
		m.Answered = record.status
	} else {
		w.WriteHeader(http.StatusNoContent)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, m)
}

// noting notes the status of an answer.
type noting struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (n *noting) WriteHeader(status int) {
	n.status = status
	n.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController find the writer.
func (n *noting) Unwrap() http.ResponseWriter { return n.ResponseWriter }

// Answer has messages answered from now on; nil for 204.
func (r *Receiver) Answer(h http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = h
}

// Status has messages answered with a status from now on.
func (r *Receiver) Status(status int) {
	r.Answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
}

// Got returns all that has come.
func (r *Receiver) Got() []Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// Taken returns what has come and was answered with 2xx.
func (r *Receiver) Taken() []Message {
	return slices.DeleteFunc(r.Got(), func(m Message) bool { return m.Answered >= 300 })
}

// Await waits until so many messages were taken, and returns them.
func (r *Receiver) Await(n int) []Message {
	r.t.Helper()
	storagetest.Until(r.t, "messages come", func() bool { return len(r.Taken()) >= n })
	return r.Taken()
}

// Types are the types of messages with the ids of their objects.
func Types(list []Message) string {
	var all []string
	for _, m := range list {
		all = append(all, m.Type+" "+strconv.FormatInt(m.Data.ID, 10))
	}
	return strings.Join(all, ", ")
}

// Webhook makes a webhook as the administrator of the site demo, and returns its id and its secret.
func (k *Kit) Webhook(to string, fields map[string]any) (id int64, secret string) {
	k.T.Helper()
	body := map[string]any{"url": to, "events": []string{"*"}}
	maps.Copy(body, fields)
	a := k.Post("/webhooks", "administrator", body)
	if a.Status != http.StatusCreated {
		k.T.Fatalf("create webhook: %s", a)
	}
	secret, _ = a.Body["secret"].(string)
	return a.ID(), secret
}
