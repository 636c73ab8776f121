package main

import (
	"context"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar/attention"
	"github.com/kalends/kalends/calendar/courier"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/calendar/newsletters"
	"github.com/kalends/kalends/calendar/numbers"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/internal/metrics"
	"github.com/kalends/kalends/internal/outbound"
	"github.com/kalends/kalends/internal/secrets"
	attentionstore "github.com/kalends/kalends/storage/attention"
	letterstore "github.com/kalends/kalends/storage/newsletters"
	numberstore "github.com/kalends/kalends/storage/numbers"
	sourcestore "github.com/kalends/kalends/storage/sources"
	hookstore "github.com/kalends/kalends/storage/webhooks"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/public/letter"
)

// serving holds the services that only a running service has: they send, fetch or count by themselves.
type serving struct {
	post      letters.Post // nil without a mail server
	sent      *submissions.Service
	hooks     *webhooks.Service
	sender    *webhooks.Sender
	sources   *sources.Service
	counter   *numbers.Counter
	letters   *newsletters.Service
	attention *attention.Service
}

// serving returns the services of a running service. mailer is nil without a mail server.
func (in *installation) serving(p *program, mailer *mail.Sender) (s *serving, err error) {
	s = &serving{}
	var counted *countedMail
	if mailer != nil {
		counted = &countedMail{mailer, in.metrics}
		s.post = counted
	}
	s.sent = letters.Submissions(in.calendar, in.db, in.platform, s.post)
	if s.hooks, s.sender, err = in.hooks(p, s.post); err != nil {
		return nil, err
	}
	if s.sources, err = in.gathering(p); err != nil {
		return nil, err
	}
	s.counter = numbers.NewCounter(numberstore.New(in.db.Engine()), in.db.Now, in.logger)
	if s.letters, err = in.letters(counted, s.counter); err != nil {
		return nil, err
	}
	s.attention = in.attention(counted)
	return s, nil
}

// attention returns the service that notifies people of waiting items.
func (in *installation) attention(post *countedMail) *attention.Service {
	o := attention.Options{Store: attentionstore.New(in.db.Engine()), Clock: in.db.Now, Logger: in.logger,
		Writer: &letters.Waiting{Resolver: in.platform.Resolver, Page: frame.WaitsAt, Settings: frame.AdminRoot + "/profile"}}
	if post != nil {
		o.Post = post
	}
	return attention.New(o)
}

// letters returns the service over letters to visitors, which sends them, too.
func (in *installation) letters(post *countedMail, counter *numbers.Counter) (*newsletters.Service, error) {
	signer, err := secrets.NewSigner(in.secret, "letters")
	if err != nil {
		return nil, err
	}
	o := newsletters.Options{
		Store:    letterstore.New(in.db.Engine(), in.db.Now),
		Calendar: in.calendar,
		Attempts: in.platform.Attempts,
		Writer:   letter.Writer{},
		Children: layout.New(in.calendar).ForChildren,
		Signer:   signer,
		Home:     in.platform.Resolver.Sent,
		Scope:    api.HomeOf(in.platform.Resolver),
		Clock:    in.db.Now,
		Counter:  counter,
		Logger:   in.logger,
	}
	if post != nil {
		o.Post = post
	}
	return newsletters.New(o), nil
}

// gathering returns the service over sources, which reads them, too.
func (in *installation) gathering(p *program) (*sources.Service, error) {
	box, err := secrets.NewBox(in.secret, "sources")
	if err != nil {
		return nil, err
	}
	web := courier.NewReader(outbound.NewGuard(p.config.ImportHosts, true), imports.Accept, fetching, imports.MaxBytes)
	return sources.New(sources.Options{
		Store:    sourcestore.New(in.db.Engine()),
		Calendar: in.calendar,
		Imports:  in.imports,
		Web:      web,
		Box:      box,
		Home:     in.platform.Resolver.Sent,
		Wait:     following,
		Clock:    in.db.Now,
		Logger:   in.logger,
	}), nil
}

// following is how long a request to another installation waits for changes.
const following = 20 * time.Second

// hooks returns the service over webhooks, and the sender of their messages.
func (in *installation) hooks(p *program, post letters.Post) (*webhooks.Service, *webhooks.Sender, error) {
	box, err := secrets.NewBox(in.secret, "webhooks")
	if err != nil {
		return nil, nil, err
	}
	store, sends := hookstore.New(in.db.Engine()), courier.New(outbound.NewGuard(p.config.FetchHosts, true))
	sender := webhooks.NewSender(webhooks.SenderOptions{Rounds: store, Changes: in.db.Changes(), Box: box, Courier: sends,
		Actors: in.platform.Authenticator, Letters: letters.Webhooks(in.platform, post, frame.AdminRoot+"/webhooks"), Gauge: in.metrics,
		Object: api.New(in.calendar).Object, Scope: api.HomeOf(in.platform.Resolver), Clock: in.db.Now, Logger: in.logger})
	in.sender.Store(sender)
	service := webhooks.New(webhooks.Options{Store: store, Changes: in.db.Changes(), Box: box, Door: sends, Languages: i18n.Languages(),
		Home: in.platform.Resolver.Sent, Clock: in.db.Now, Wake: sender.Wake})
	return service, sender, nil
}

// countedMail counts the e-mails that are sent.
type countedMail struct {
	sender  *mail.Sender
	metrics *metrics.Metrics
}

// Send implements letters.Post.
func (c *countedMail) Send(ctx context.Context, to, subject, text string) error {
	err := c.sender.Send(ctx, to, subject, text)
	c.metrics.Mailed(err)
	return err
}

// Deliver implements newsletters.Post.
func (c *countedMail) Deliver(ctx context.Context, m *mail.Message) error {
	err := c.sender.Deliver(ctx, m)
	c.metrics.Mailed(err)
	return err
}
