package letters

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// Hooks implements webhooks.Letters.
type Hooks struct {
	post     Post
	platform *platform.Platform
	page     string // path of the page about webhooks
}

// Webhooks returns what writes to administrators about their webhooks, nil without post. page is where they find them.
func Webhooks(p *platform.Platform, post Post, page string) webhooks.Letters {
	if post == nil {
		return nil
	}
	return &Hooks{post, p, page}
}

// SwitchedOff implements webhooks.Letters. Of the address it has only the host: the rest may be secret. An administrator whose letter
// cannot be sent does not keep the others from theirs.
func (l *Hooks) SwitchedOff(ctx context.Context, w *webhooks.Webhook) error {
	list, err := l.platform.Users.Administrators(ctx)
	if err != nil {
		return err
	}
	sent := 0
	for _, to := range list {
		if to.Email == "" {
			continue
		}
		if failed := l.send(ctx, w, to); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		sent++
	}
	if sent > 0 {
		return nil
	}
	return err
}

// send writes to one administrator, in their language.
func (l *Hooks) send(ctx context.Context, w *webhooks.Webhook, to *tenancy.User) error {
	scope := tenancy.Current(ctx)
	language := cmp.Or(to.Language, scope.Site.Language)
	home := cmp.Or(w.Home, l.platform.Resolver.Sent(scope))
	host := ""
	if u, err := url.Parse(w.URL); err == nil {
		host = u.Host
	}
	data := map[string]any{"Name": to.Name, "Host": host, "Site": scope.Site.WordsIn(language).Name, "Link": home + l.page}
	data["Why"] = i18n.Text(language, "letter.webhook."+string(w.Off), data)
	err := l.post.Send(ctx, to.Email, i18n.Text(language, "letter.webhook.subject", data), i18n.Text(language, "letter.webhook.text", data)+"\n")
	if err != nil {
		return fmt.Errorf("letter about a webhook: %w", err)
	}
	return nil
}
