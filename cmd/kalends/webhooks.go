package main

import (
	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/calendar/courier"
	"github.com/kalends/kalends/calendar/letters"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/outbound"
	"github.com/kalends/kalends/internal/secrets"
	hookstore "github.com/kalends/kalends/storage/webhooks"
	"github.com/kalends/kalends/web/forms/frame"
)

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
