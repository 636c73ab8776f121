package services

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// ImageFilter selects images of the media library.
type ImageFilter struct {
	Search        string // words in the file name or the alternative text
	Unused        bool   // only unused images
	Page, PerPage int    // 0 means page 1 and 24 images
}

// longestAlt is the maximum length of an alternative text in characters.
const longestAlt = 1000

// mostImages is the maximum page length of the media library.
const mostImages = 100

// List returns one page of the site's images, newest first, to principals who can write entries. It returns ErrPage
// past the last page.
func (s Images) List(ctx context.Context, f ImageFilter) (calendar.Page[calendar.Image], error) {
	if _, err := tenancy.Permitted(ctx, tenancy.ReadImages, tenancy.EditOwn); err != nil {
		return calendar.Page[calendar.Image]{}, err
	}
	q := calendar.ImageQuery{Page: max(f.Page, 1), PerPage: f.PerPage, Words: strings.Fields(wording.Fold(f.Search)), Unused: f.Unused}
	if q.PerPage < 1 {
		q.PerPage = 24
	}
	q.PerPage = min(q.PerPage, mostImages)
	page, err := s.store.Images().List(ctx, q)
	if err != nil {
		return page, fmt.Errorf("list images: %w", err)
	}
	return page, nil
}

// Uses returns the items that use an image and that the principal may see, and the number of other items that use
// it.
func (s Images) Uses(ctx context.Context, id int64) (uses []calendar.ImageUse, hidden int, err error) {
	scope, err := tenancy.Permitted(ctx, tenancy.ReadImages, tenancy.EditOwn)
	if err != nil {
		return nil, 0, err
	}
	all, err := s.store.Images().Uses(ctx, id)
	if err != nil {
		return nil, 0, fmt.Errorf("find uses of image: %w", err)
	}
	for _, use := range all {
		if calendar.MayRead(scope.Principal, &use.Post) {
			uses = append(uses, use)
		} else {
			hidden++
		}
	}
	return uses, hidden, nil
}

// Describe sets the alternative text of an image and the given translations of it, where "" removes one, and its focus unless that is nil.
// It is permitted to the uploader and to those who edit others' work everywhere.
func (s Images) Describe(ctx context.Context, id int64, alt string, texts map[string]string, focus *calendar.Focus,
	cond calendar.Condition) (*calendar.Image, error) {
	scope, err := tenancy.Permitted(ctx, tenancy.WriteImages, tenancy.Upload)
	if err != nil {
		return nil, err
	}
	if alt = wording.CleanLine(alt); len([]rune(alt)) > longestAlt {
		return nil, args.Invalid("alt", "problem.alt", map[string]any{"Max": longestAlt})
	}
	said := &translations.Said{Others: translations.Writes{}}
	update := translations.Update{Said: said, Name: "alt", Clean: wording.CleanLine, Bare: true}
	for _, language := range slices.Sorted(maps.Keys(texts)) {
		where, text := "translations."+language, wording.CleanLine(texts[language])
		switch {
		case language == scope.Site.Language || !scope.Site.Speaks(language):
			return nil, args.Invalid(where, "problem.content_language", map[string]any{"Allowed": strings.Join(scope.Site.Others(), ", ")})
		case len([]rune(text)) > longestAlt:
			return nil, args.Invalid(where+".alt", "problem.alt", map[string]any{"Max": longestAlt})
		}
		said.Others[language] = &translations.Write{Title: args.Some(text)}
	}
	image, err := s.store.Images().Update(ctx, id, func(i *calendar.Image) error {
		if err := ownImage(scope.Principal, i); err != nil {
			return err
		}
		if err := cond.Check(i.Version); err != nil {
			return err
		}
		now := translations.Text{Title: alt}
		i.Texts, err = update.Apply(i.Texts, translations.Text{Title: i.Alt}, &now)
		i.Alt = now.Title
		if focus != nil {
			i.Focus = *focus
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("describe image: %w", err)
	}
	return image, nil
}

// MayEditImage reports whether the principal may change or remove an image.
func MayEditImage(p tenancy.Principal, i *calendar.Image) bool {
	return p.May(tenancy.Upload) && ownImage(p, i) == nil
}

// ownImage returns nil for the uploader and for those who edit others' work everywhere: an image is used in any part of the calendar,
// so an editor of one part changes only their own.
func ownImage(p tenancy.Principal, i *calendar.Image) error {
	switch {
	case i.Author == p.UserID:
		return nil
	case p.EditsPart():
		return tenancy.ErrOutside
	}
	return p.Require(tenancy.EditOthers)
}
