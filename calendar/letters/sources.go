package letters

import (
	"context"

	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/tenancy/platform"
)

// Readings implements sources.Letters.
type Readings struct{ administrators }

// Sources returns what writes to administrators about their sources, nil without post. page is where they find them.
func Sources(p *platform.Platform, post Post, page string) sources.Letters {
	if post == nil {
		return nil
	}
	return &Readings{administrators{post, p, page}}
}

// SourceFails implements sources.Letters.
func (l *Readings) SourceFails(ctx context.Context, w *sources.Source) error {
	_, err := l.send(ctx, "source", w.Home, func(language string, data map[string]any) {
		data["Source"] = w.Name
		if w.Problem != nil {
			data["Why"] = i18n.Text(language, "error."+w.Problem.Code, w.Problem.Data)
		}
	})
	return err
}
