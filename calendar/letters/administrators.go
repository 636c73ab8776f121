package letters

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// administrators sends letters to the administrators of a site about something that they set up, such as a webhook.
type administrators struct {
	post     Post
	platform *platform.Platform
	page     string // path of the page where they find it
}

// send sends a letter to each administrator who has an address, in their language, and returns how many were sent.
// name selects the texts of the letter. says adds data for the texts to the name, the site and the link to the
// page. home is the site's address in that link; "" means its usual address. If the letter to one administrator
// fails, the others still get theirs.
func (a *administrators) send(ctx context.Context, name, home string,
	says func(language string, data map[string]any)) (sent int, err error) {
	list, err := a.platform.Users.Administrators(ctx)
	if err != nil {
		return 0, err
	}
	scope := tenancy.Current(ctx)
	home = cmp.Or(home, a.platform.Resolver.Sent(scope))
	for _, to := range list {
		if to.Email == "" {
			continue
		}
		language := cmp.Or(to.Language, scope.Site.Language)
		data := map[string]any{"Name": to.Name, "Site": scope.Site.WordsIn(language).Name, "Link": home + a.page}
		says(language, data)
		subject, text := i18n.Text(language, "letter."+name+".subject", data), i18n.Text(language, "letter."+name+".text", data)
		failed := a.post.Send(ctx, to.Email, subject, text+"\n")
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("letter about a %s: %w", name, failed))
			continue
		}
		sent++
	}
	return sent, err
}
