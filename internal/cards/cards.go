// Package cards draws cards: pictures of 1200 × 630 pixels that say what an event is, when and where, for previews of links.
package cards

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"strconv"
	"sync"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/shaping"
	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/vector"
)

// The size of a card in pixels, and the most bytes of its file.
const (
	Width     = 1200
	Height    = 630
	MostBytes = 300_000
)

// Card is the content of a card. Texts that no font can draw are left out.
type Card struct {
	Language    string
	RightToLeft bool
	Kicker      string // the category, or ""
	Title       string
	When        string
	Place       string
	Site        string
	Ground      color.NRGBA // on which white can be read
	Picture     string      // key of the picture beside the text, or ""
	Focus       image.Point // of the picture, in percent from its left and top: never cut off
}

// Digest returns a short text that differs for cards that look different.
func (c *Card) Digest() string {
	h := sha256.New()
	for _, text := range []string{"2", c.Language, c.Kicker, c.Title, c.When, c.Place, c.Site, c.Picture, strconv.Itoa(int(c.Ground.R)),
		strconv.Itoa(int(c.Ground.G)), strconv.Itoa(int(c.Ground.B)), c.Focus.String()} {
		h.Write([]byte(strconv.Itoa(len(text)) + ":" + text))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Measures in pixels.
const (
	margin      = 72
	foot        = 92  // of the strip with the name of the site
	pictureSide = 540 // width of a picture
	smallText   = 30
	whenText    = 40
)

// titleSizes are the sizes of a title, of which the first is taken in which it fits.
var titleSizes = []int{84, 66, 56, 46}

// drawing is held while a card is drawn, because font faces have state.
var drawing sync.Mutex

// Draw returns the file of a card: a PNG, or a JPEG with a picture beside the text, which as a PNG would have too many bytes.
func (c *Card) Draw(picture image.Image) ([]byte, error) {
	drawing.Lock()
	defer drawing.Unlock()
	m := image.NewRGBA(image.Rect(0, 0, Width, Height))
	draw.Draw(m, m.Bounds(), image.NewUniform(c.Ground), image.Point{}, draw.Src)
	text := m.Bounds()
	if picture != nil {
		text = c.beside(m, picture)
	} else {
		c.decorate(m)
	}
	c.write(m, text)
	if picture != nil {
		return asJPEG(m)
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m)
	return b.Bytes(), err
}

// asJPEG returns a picture in the best quality that has few enough bytes.
func asJPEG(m image.Image) ([]byte, error) {
	var b bytes.Buffer
	for quality := 88; ; quality -= 12 {
		b.Reset()
		if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil || b.Len() <= MostBytes || quality < 20 {
			return b.Bytes(), err
		}
	}
}

// beside draws the picture at the end of the lines, as much around its focus as fits, and returns the place for the
// text. What is cut off at each side is in the proportion that pages have, too (object-position).
func (c *Card) beside(m *image.RGBA, picture image.Image) image.Rectangle {
	side, text := image.Rect(Width-pictureSide, 0, Width, Height), image.Rect(0, 0, Width-pictureSide, Height)
	if c.RightToLeft {
		side, text = image.Rect(0, 0, pictureSide, Height), image.Rect(pictureSide, 0, Width, Height)
	}
	b := picture.Bounds()
	part := b
	if b.Dx()*Height > b.Dy()*pictureSide {
		w := max(1, b.Dy()*pictureSide/Height)
		part.Min.X += (b.Dx() - w) * c.Focus.X / 100
		part.Max.X = part.Min.X + w
	} else {
		h := max(1, b.Dx()*Height/pictureSide)
		part.Min.Y += (b.Dy() - h) * c.Focus.Y / 100
		part.Max.Y = part.Min.Y + h
	}
	xdraw.ApproxBiLinear.Scale(m, side, picture, part, draw.Over, nil)
	return text
}

// decorate draws two discs behind the text, at the end of the lines.
func (c *Card) decorate(m *image.RGBA) {
	shade := image.NewUniform(color.NRGBA{0, 0, 0, 26})
	for _, r := range []float32{330, 190} {
		area := image.Rect(Width-60-int(r), 0, Width, 70+int(r))
		if c.RightToLeft {
			area = image.Rect(0, 0, 60+int(r), 70+int(r))
		}
		pen := vector.NewRasterizer(area.Dx(), area.Dy())
		x, y := float32(Width-60-area.Min.X), float32(70)
		if c.RightToLeft {
			x = 60
		}
		b := r * 0.5523 // bow of a circle made of four curves
		pen.MoveTo(x+r, y)
		pen.CubeTo(x+r, y+b, x+b, y+r, x, y+r)
		pen.CubeTo(x-b, y+r, x-r, y+b, x-r, y)
		pen.CubeTo(x-r, y-b, x-b, y-r, x, y-r)
		pen.CubeTo(x+b, y-r, x+r, y-b, x+r, y)
		pen.ClosePath()
		pen.Draw(m, area, shade, image.Point{})
	}
}

// write writes the texts into a place: category and title from above, when and where from below, and the name of the site in the foot.
func (c *Card) write(m *image.RGBA, place image.Rectangle) {
	below := image.Rect(place.Min.X, Height-foot, place.Max.X, Height)
	draw.Draw(m, below, image.NewUniform(color.NRGBA{0, 0, 0, 46}), image.Point{}, draw.Over)
	t := &typesetter{language: c.Language}
	if c.RightToLeft {
		t.way = di.DirectionRTL
	}
	left, right := place.Min.X+margin, place.Max.X-margin
	if place.Dx() < Width {
		left, right = place.Min.X+margin*2/3, place.Max.X-margin*2/3
	}
	column := &column{m: m, t: t, left: left, right: right, far: c.RightToLeft}
	column.put(drawable(c.Site), Height-foot+foot/2+smallText/3, smallText, 1)
	bottom := Height - foot - 40
	bottom = column.above(drawable(c.Place), bottom, smallText, 2)
	bottom = column.above(drawable(c.When), bottom, whenText, 2)
	top := margin + smallText
	if kicker := drawable(c.Kicker); kicker != "" {
		column.put(kicker, top, smallText, 1)
		top += 14
	} else {
		top = margin - 10
	}
	column.title(drawable(c.Title), top, bottom-20)
}

// column is the part of a card with the texts.
type column struct {
	m           *image.RGBA
	t           *typesetter
	left, right int
	far         bool // lines begin at the right
}

// white is the color of all texts.
var white = color.NRGBA{255, 255, 255, 255}

// put writes a text with the baseline of its first line.
func (c *column) put(text string, baseline, size, most int) {
	lines, _ := c.t.lines(text, size, c.right-c.left, most, false)
	c.draw(lines, baseline, size)
}

func (c *column) draw(lines []shaping.Line, baseline, size int) {
	for i, line := range lines {
		left := c.left
		if c.far {
			left = c.right - widthOf(line)
		}
		drawLine(c.m, line, left, baseline+i*lead(size), size, white)
	}
}

// above writes a text that ends at a height, and returns where it begins.
func (c *column) above(text string, bottom, size, most int) int {
	lines, _ := c.t.lines(text, size, c.right-c.left, most, false)
	if len(lines) == 0 {
		return bottom
	}
	c.draw(lines, bottom-(len(lines)-1)*lead(size)-size/4, size)
	return bottom - len(lines)*lead(size) - 8
}

// title writes a title between two heights, in the largest size in which it fits without breaking words.
func (c *column) title(text string, top, bottom int) {
	for i, size := range titleSizes {
		last := i == len(titleSizes)-1
		lines, cut := c.t.lines(text, size, c.right-c.left, max(1, (bottom-top)/lead(size)), !last)
		if last || !cut && !c.broken(lines) {
			c.draw(lines, top+size, size)
			return
		}
	}
}

// broken reports whether a line is wider than the column.
func (c *column) broken(lines []shaping.Line) bool {
	for _, line := range lines {
		if widthOf(line) > c.right-c.left {
			return true
		}
	}
	return false
}

// lead returns the distance of baselines of a size.
func lead(size int) int { return size * 115 / 100 }
