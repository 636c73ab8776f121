package letters

import (
	"context"
	"net/url"

	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy/platform"
)

// Hooks implements webhooks.Letters.
type Hooks struct{ administrators }

// Webhooks returns the writer of letters to administrators about their webhooks, or nil without post. page is the path of the
// page that lists webhooks.
func Webhooks(p *platform.Platform, post Post, page string) webhooks.Letters {
	if post == nil {
		return nil
	}
	return &Hooks{administrators{post, p, page}}
}

// SwitchedOff implements webhooks.Letters. The letter names only the host of the address: because the rest may be
// secret. It succeeds if at least one letter was sent.
func (l *Hooks) SwitchedOff(ctx context.Context, w *webhooks.Webhook) error {
	host := ""
	if u, err := url.Parse(w.URL); err == nil {
		host = u.Host
	}
	sent, err := l.send(ctx, "webhook", w.Home, func(language string, data map[string]any) {
		data["Host"] = host
		data["Why"] = i18n.Text(language, "letter.webhook."+string(w.Off), data)
	})
	if sent > 0 {
		return nil
	}
	return err
}
