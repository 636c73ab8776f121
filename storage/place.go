package storage

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/calendar"
)

// What venues and organizers share.

// nullable returns nil for 0, the id of nothing.
func nullable(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

// picture makes sure that an item's picture is stored, and returns its id.
func (t *tx) picture(ctx context.Context, p *calendar.Post) (*int64, error) {
	switch {
	case p.Image == nil:
		return nil, nil
	case p.Image.ID == 0:
		image := *p.Image // what is rolled back leaves the caller's as it was
		if err := t.insertImage(ctx, &image); err != nil {
			return nil, err
		}
		p.Image = &image
	case p.Image.Key == "":
		image, err := t.image(ctx, p.Image.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, args.Invalid("image", "problem.image.unknown", nil)
		}
		if err != nil {
			return nil, err
		}
		p.Image = image
	}
	return &p.Image.ID, nil
}

// lines returns the folded fields of an item, one per line: what a search
// looks through.
func lines(fields ...string) string {
	folded := make([]string, 0, len(fields))
	for _, f := range fields {
		if f = strings.Join(strings.Fields(calendar.Fold(f)), " "); f != "" {
			folded = append(folded, f)
		}
	}
	return strings.Join(folded, "\n")
}

// within returns LIKE patterns for texts that contain the words.
func within(words []string) []string {
	escape := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
	patterns := make([]string, 0, len(words))
	for _, w := range words {
		patterns = append(patterns, "%"+escape.Replace(w)+"%")
	}
	return patterns
}
