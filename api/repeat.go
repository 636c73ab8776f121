package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

// The reasons to refuse a request with an Idempotency-Key (rules 20).
var (
	ErrKeyReused = errors.New("the key was used for another request")
	ErrKeyInUse  = errors.New("a request with the key is still running")
)

// SecretShownError says that the response contained a secret, which is shown only once.
type SecretShownError struct{ ID int64 }

func (e *SecretShownError) Error() string { return "the answer had a secret that is shown only once" }

// The headers about requests that may be sent again: KeyHeader has the key of a request, ReplayedHeader marks an answer that was
// kept, and VersionHeader has the version of the site that an answer reflects.
const (
	KeyHeader      = "Idempotency-Key"
	ReplayedHeader = "Idempotent-Replayed"
	VersionHeader  = "X-Kalends-Version"
)

// Repeats handles requests that are sent again with the same key, so that the write is made only once.
type Repeats struct {
	store   tenancy.AnswerStore
	clock   func() time.Time
	running sync.Map // key of this node's requests
	again   func(ctx context.Context, r *Route, request *Call, kept *tenancy.KeptAnswer) (*Answer, error)
}

// NewRepeats returns the memory of answers in a store, or nil without a store. again returns the present state of the
// object that a request has written, if the answer to that request was lost.
func NewRepeats(store tenancy.AnswerStore, clock func() time.Time,
	again func(ctx context.Context, r *Route, request *Call, kept *tenancy.KeptAnswer) (*Answer, error)) *Repeats {
	if store == nil {
		return nil
	}
	return &Repeats{store: store, clock: clock, again: again}
}

// repeatKey returns the key of a request, or "" if it has none. It returns an error for a header that is not a key.
func repeatKey(c *fiber.Ctx) (string, error) {
	lines := c.Request().Header.PeekAll(KeyHeader)
	if len(lines) == 0 {
		return "", nil
	}
	key := string(lines[0])
	wrong := len(lines) > 1 || key == "" || len(key) > 255
	for _, sign := range []byte(key) {
		wrong = wrong || sign < 0x21 || sign > 0x7e
	}
	if wrong {
		return "", args.Invalid(KeyHeader, "problem.key", nil)
	}
	return key, nil
}

// once runs a request, or returns the stored response to it. A request without a key or a credential is always run.
func (p *Repeats) once(c *fiber.Ctx, r *Route, request *Call, run func(context.Context) (*Answer, error)) error {
	ctx := c.UserContext()
	key, err := repeatKey(c)
	if err != nil && !reads(c) {
		return err
	}
	if p == nil || key == "" || reads(c) || credentialOf(ctx) == "" {
		answer, err := run(ctx)
		if err != nil {
			return err
		}
		return finish(c, r, request, answer)
	}
	asked, err := repeatable(c, key, r.Resource, request)
	if err != nil {
		return err
	}
	name := string(asked.ID)
	if site := tenancy.Current(ctx).Site; site != nil {
		name = strconv.FormatInt(site.ID, 10) + name
	}
	if _, busy := p.running.LoadOrStore(name, true); busy {
		return ErrKeyInUse
	}
	defer p.running.Delete(name)
	kept, err := p.store.Find(ctx, asked.ID, p.clock().Add(-tenancy.AnswerAge))
	if err != nil {
		return fmt.Errorf("find a kept answer: %w", err)
	}
	if kept != nil {
		return p.replay(c, r, request, asked, kept)
	}
	answer, err := run(tenancy.WithRepeatable(ctx, asked))
	if errors.Is(err, tenancy.ErrRepeated) { // on another node, at the same time
		if kept, err = p.store.Find(ctx, asked.ID, p.clock().Add(-tenancy.AnswerAge)); err == nil && kept != nil {
			return p.replay(c, r, request, asked, kept)
		}
	}
	if err != nil {
		return err
	}
	if err := finish(c, r, request, answer); err != nil {
		return err
	}
	if c.Response().StatusCode() >= fiber.StatusBadRequest {
		return nil
	}
	err = p.store.Keep(ctx, asked, keptOf(c, answer), p.clock().UTC().Truncate(time.Second))
	if err != nil && !errors.Is(err, tenancy.ErrRepeated) {
		return fmt.Errorf("keep an answer: %w", err)
	}
	return nil
}

// reads reports whether a request changes nothing.
func reads(c *fiber.Ctx) bool { return c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead }

// credentialOf names the credential that the caller sends, or "" for none. An answer is repeated only to the
// credential that got it.
func credentialOf(ctx context.Context) string {
	if provider, acts := tenancy.ProviderOf(ctx); acts {
		return fmt.Sprintf("provider %d", provider.Token)
	}
	if who := tenancy.Current(ctx).Principal; who.Kind != "" {
		return fmt.Sprintf("%d %s %d", who.UserID, who.Kind, who.Credential)
	}
	return ""
}

// repeatable returns what identifies a request and its contents. Arguments are compared as they were parsed, so the order of members
// and the boundaries of multipart forms make no difference. kind is that of the object that it is about.
func repeatable(c *fiber.Ctx, key, kind string, request *Call) (*tenancy.Repeatable, error) {
	id := sha256.Sum256([]byte(credentialOf(c.UserContext()) + " " + key))
	values, err := json.Marshal(request.whole)
	if err != nil {
		return nil, fmt.Errorf("write arguments: %w", err)
	}
	whole := sha256.New()
	for _, part := range [][]byte{[]byte(c.Method()), []byte(c.Path()), []byte(c.Get(fiber.HeaderIfMatch)), values} {
		fmt.Fprintf(whole, "%d ", len(part))
		whole.Write(part)
	}
	if request.Upload != nil {
		sum := sha256.New()
		if _, err := io.Copy(sum, request.Upload.Content); err != nil {
			return nil, ErrMediaType
		}
		if _, err := request.Upload.Content.Seek(0, io.SeekStart); err != nil {
			return nil, ErrMediaType
		}
		whole.Write(sum.Sum(nil))
	}
	role := tenancy.Current(c.UserContext()).Principal.Role
	asked := &tenancy.Repeatable{ID: id[:], Role: role, Kind: kind, Attempt: []byte(secrets.Key())}
	if request.Body != nil { // an archive can be read only once, and its digest is known after that
		request.Body = &printed{request.Body, whole, asked}
		return asked, nil
	}
	asked.Fingerprint = whole.Sum(nil)
	return asked, nil
}

// printed is a body whose digest completes the fingerprint of its request.
type printed struct {
	io.Reader

	sum   hash.Hash
	asked *tenancy.Repeatable
}

// Read implements io.Reader.
func (p *printed) Read(b []byte) (n int, err error) {
	n, err = p.Reader.Read(b)
	p.sum.Write(b[:n])
	if errors.Is(err, io.EOF) {
		p.asked.Fingerprint = p.sum.Sum(nil)
	}
	return n, err
}

// keptHeaders are the headers of an answer that are kept with it.
var keptHeaders = []string{fiber.HeaderContentType, fiber.HeaderETag, fiber.HeaderLocation, fiber.HeaderContentLanguage}

// keptOf returns the parts of an answer that are kept.
func keptOf(c *fiber.Ctx, answer *Answer) *tenancy.KeptAnswer {
	kept := &tenancy.KeptAnswer{Status: c.Response().StatusCode(), Headers: map[string]string{}}
	for _, name := range keptHeaders {
		if value := c.GetRespHeader(name); value != "" {
			kept.Headers[name] = value
		}
	}
	if version := tenancy.Wrote(c.UserContext()); version > 0 {
		kept.Headers[VersionHeader] = strconv.FormatInt(version, 10)
	}
	if !answer.Once {
		kept.Body = bytes.Clone(c.Response().Body())
		if kept.Body == nil {
			kept.Body = []byte{}
		}
	}
	return kept
}

// replay sends a stored response again, if the caller still has the rights for the request.
func (p *Repeats) replay(c *fiber.Ctx, r *Route, request *Call, asked *tenancy.Repeatable, kept *tenancy.KeptAnswer) error {
	if request.Body != nil && asked.Fingerprint == nil {
		if _, err := io.Copy(io.Discard, request.Body); err != nil {
			return ErrMediaType
		}
	}
	switch {
	case !bytes.Equal(asked.Fingerprint, kept.Fingerprint):
		return ErrKeyReused
	case asked.Role.Rights()&kept.Role.Rights() != kept.Role.Rights():
		return tenancy.ErrForbidden
	case kept.Status == 0:
		return p.recover(c, r, request, kept)
	case kept.Body == nil:
		return &SecretShownError{ID: kept.Object}
	}
	c.Set(ReplayedHeader, "true")
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	for name, value := range kept.Headers {
		c.Set(name, value)
	}
	return c.Status(kept.Status).Send(kept.Body)
}

// recover responds to a request whose node stopped between the write and the response. The response has the present
// state of the object.
func (p *Repeats) recover(c *fiber.Ctx, r *Route, request *Call, kept *tenancy.KeptAnswer) error {
	answer, err := p.again(c.UserContext(), r, request, kept)
	if err != nil {
		return err
	}
	c.Set(ReplayedHeader, "true")
	return send(c, r, answer)
}

// again returns a response with the present state of an object that was written, or only with its id if the object
// no longer exists.
func (a *API) again(ctx context.Context, _ *Route, _ *Call, kept *tenancy.KeptAnswer) (*Answer, error) {
	kind, id := kept.Kind, kept.Object
	var answer *Answer
	var err error
	if known := a.reader(kind); known != nil {
		answer, err = known(ctx, id)
	}
	if err != nil && !isGone(err) {
		return nil, err
	}
	if answer == nil || err != nil { // deleted, or nothing that can be read
		return OnlyID(ctx, id), nil //nolint:nilerr // the id says enough
	}
	if path := collections[kind]; path != "" {
		answer.Location = scopeOf(ctx).Base.API() + "/" + path + "/" + strconv.FormatInt(id, 10)
	}
	return answer, nil
}

// OnlyID returns a response with only the id of an object that no longer exists.
func OnlyID(ctx context.Context, id int64) *Answer {
	v := NewView(scopeOf(ctx))
	v.Item()
	v.Int("id", id)
	v.Close('}')
	return v.Answer(0)
}

// collections are the paths of the objects of the history's kinds.
var collections = map[string]string{changes.Event: "events", changes.Venue: "venues", changes.Organizer: "organizers",
	changes.Category: "categories", changes.Tag: "tags", changes.Image: "media", "webhook": "webhooks", "source": "sources"}
