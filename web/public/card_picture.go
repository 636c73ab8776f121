package public

import (
	"context"
	"image"
	"image/color"
	"net/http"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/bounded"
	"github.com/kalends/kalends/internal/cards"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// Artist draws cards. It decodes their images within the memory limit for all images.
type Artist interface {
	// Draw calls draw with a picture of the scope's site, or nil.
	Draw(ctx context.Context, of *calendar.Image, draw func(image.Image) ([]byte, error)) ([]byte, error)
}

// heldCards is the memory for drawn cards, in bytes: enough for about 200.
const heldCards = 12 << 20

// keptCards is the cache of cards. Its keys are the site and the card's content, because a new version of the site changes few
// cards.
func keptCards() bounded.Cache[string, []byte] {
	return bounded.New(bounded.Options[string, []byte]{Bytes: heldCards, Weigh: func(key string, file []byte) uint32 {
		return uint32(len(key) + cap(file) + 128)
	}})
}

// cardOf returns the card of an event. It returns nil for events with a password, because a card would show what the password
// hides.
func (w *Pages) cardOf(ctx context.Context, v *eventView) *cards.Card {
	if w.artist == nil || v.Protected() || v.Masked {
		return nil
	}
	category := ui.CategoryOf(v.Event)
	c := cardFor(ctx, ui.Titled(ctx, v.Event, v.Title), v.place(ctx), category, v.Image)
	c.When = v.shortly(ctx)
	if category != nil {
		c.Kicker = category.Name
	}
	return c
}

// placeCard returns the card of a venue or an organizer, or nil if it has no picture.
func (w *Pages) placeCard(ctx context.Context, name, place string, picture *calendar.Image) *cards.Card {
	if w.artist == nil || picture == nil {
		return nil
	}
	return cardFor(ctx, name, place, nil, picture)
}

// cardFor returns what all cards have. category and picture may be nil.
func cardFor(ctx context.Context, title, place string, category *calendar.Term, picture *calendar.Image) *cards.Card {
	d := ui.DatesIn(ctx)
	c := &cards.Card{
		Language:    d.Tag,
		RightToLeft: ui.Direction(d) == "rtl",
		Title:       title,
		Place:       place,
		Site:        ui.SiteName(ctx),
		Ground:      ground(category),
	}
	if picture == nil {
		return c
	}
	c.Picture, c.Focus = picture.Key, image.Pt(picture.Focus.X, picture.Focus.Y)
	if picture.Focus == calendar.Middle {
		c.Focus.Y = 33 // nobody has said; faces are above the middle
	}
	return c
}

// ground is the background of the card of a category.
func ground(category *calendar.Term) color.NRGBA {
	deep := ui.Deep(ui.ToneOf(category))
	return color.NRGBA{R: uint8(deep[0]*255 + 0.5), G: uint8(deep[1]*255 + 0.5), B: uint8(deep[2]*255 + 0.5), A: 255}
}

// cardFile returns the path of the card of an event. A card with an image is a JPEG.
func cardFile(e *calendar.Event) string {
	if e.Image != nil {
		return e.Path() + "card.jpg"
	}
	return e.Path() + "card.png"
}

// cardAddress returns the full address of a card with this path, or "" if there is no card. The address changes with the
// card's content.
func cardAddress(ctx context.Context, path string, c *cards.Card) string {
	if c == nil {
		return ""
	}
	return ui.Whole(ctx, path) + "?v=" + c.Digest()
}

// cardPicture returns the card of an event for previews of links to its page.
func (w *Pages) cardPicture(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	e, err := w.find(ctx, a)
	if err != nil {
		return nil, err
	}
	if to := layout.Moved(ctx, a, cardFile(e)); to != nil {
		to.Passing = true // another picture changes its name
		return to, nil
	}
	v := &eventView{Event: e, now: w.calendar.Now()}
	answer := &layout.Shown{Version: e.Version, Page: &layout.Page{}}
	if err = w.surround(ctx, a, v, answer); err != nil {
		return nil, err
	}
	return w.drawn(ctx, a, answer, w.cardOf(ctx, v), e.Image)
}

// venueCard returns the card of a venue for previews of links to its page.
func (w *Pages) venueCard(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	v, err := w.venueOf(ctx, a)
	if err != nil {
		return nil, err
	}
	if to := layout.Moved(ctx, a, ui.VenuePath(v)+placeCardFile); to != nil {
		return to, nil
	}
	return w.drawn(ctx, a, &layout.Shown{Version: v.Version}, w.placeCard(ctx, v.Name, whereIs(v), v.Image), v.Image)
}

// organizerCard returns the card of an organizer for previews of links to their page.
func (w *Pages) organizerCard(ctx context.Context, a layout.Asked) (*layout.Shown, error) {
	o, err := w.organizerOf(ctx, a)
	if err != nil {
		return nil, err
	}
	if to := layout.Moved(ctx, a, ui.OrganizerPath(o)+placeCardFile); to != nil {
		return to, nil
	}
	return w.drawn(ctx, a, &layout.Shown{Version: o.Version}, w.placeCard(ctx, o.Name, "", o.Image), o.Image)
}

// placeCardFile is the file of a card, below the path of a venue or an organizer.
const placeCardFile = "card.jpg"

// whereIs is the address of a venue on its card.
func whereIs(v *calendar.Venue) string { return strings.Join(v.AddressLines(), ", ") }

// drawn completes an answer with the file of a card. It returns ErrNotFound without a card.
func (w *Pages) drawn(ctx context.Context, a layout.Asked, answer *layout.Shown, c *cards.Card, picture *calendar.Image) (
	*layout.Shown, error) {
	if c == nil {
		return nil, calendar.ErrNotFound
	}
	var err error
	answer.Page, answer.Open = nil, true
	answer.Lasting = a.Query("v") == c.Digest()
	if answer.File, err = w.draw(ctx, c, picture); err != nil {
		return nil, err
	}
	answer.Kind = http.DetectContentType(answer.File)
	return answer, nil
}

// draw returns the file of a card. It draws the card unless the cache has it.
func (w *Pages) draw(ctx context.Context, c *cards.Card, picture *calendar.Image) ([]byte, error) {
	key := tenancy.Current(ctx).Site.Slug + " " + c.Digest()
	if file, ok := w.cards.Get(key); ok {
		return file, nil
	}
	file, err := w.artist.Draw(ctx, picture, c.Draw)
	if err != nil {
		return nil, err
	}
	w.cards.Set(key, file)
	return file, nil
}
