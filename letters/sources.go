package letters

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
)

// Readings implements sources.Letters.
type Readings struct {
	post     Post
	platform *platform.Platform
	page     string // path of the page about sources
}

// Sources returns what writes to administrators about their sources, nil without post. page is where they find them.
func Sources(p *platform.Platform, post Post, page string) sources.Letters {
	if post == nil {
		return nil
	}
	return &Readings{post, p, page}
}

// SourceFails implements sources.Letters. An administrator whose letter cannot be sent does not keep the others from theirs.
func (l *Readings) SourceFails(ctx context.Context, w *sources.Source) error {
	list, err := l.platform.Users.Administrators(ctx)
	if err != nil {
		return err
	}
	scope := tenancy.Current(ctx)
	for _, to := range list {
		if to.Email == "" {
			continue
		}
		language := cmp.Or(to.Language, scope.Site.Language)
		home := cmp.Or(w.Home, l.platform.Resolver.Sent(scope))
		data := map[string]any{"Name": to.Name, "Source": w.Name, "Site": scope.Site.WordsIn(language).Name, "Link": home + l.page}
		if w.Problem != nil {
			data["Why"] = i18n.Text(language, "error."+w.Problem.Code, w.Problem.Data)
		}
		failed := l.post.Send(ctx, to.Email, i18n.Text(language, "letter.source.subject", data), i18n.Text(language, "letter.source.text", data)+"\n")
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("letter about a source: %w", failed))
		}
	}
	return err
}
