package cards

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// typesetter breaks a text into lines of shaped glyphs.
type typesetter struct {
	shaper    shaping.HarfbuzzShaper
	segmenter shaping.Segmenter
	wrapper   shaping.LineWrapper

	language string
	way      di.Direction
}

// longest is how many letters of a text are looked at. A title is never longer.
const longest = 300

// drawable returns the letters of a text that a font has, or "" if so many are missing that the rest would be
// unreadable.
func drawable(text string) string {
	var b strings.Builder
	letters, missing := 0, 0
	for _, r := range strings.Join(strings.Fields(text), " ") {
		if letters++; letters > longest {
			break
		}
		switch {
		case joins(r) || faceOf(r) != nil:
			b.WriteRune(r)
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			missing++
		}
	}
	if missing*4 > letters {
		return ""
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// joins reports whether a character is invisible and only determines how its neighbours are joined, or their
// direction.
func joins(r rune) bool { return r == 0x200c || r == 0x200d || r == 0x200e || r == 0x200f }

// lines returns a text as lines of glyphs of a size in pixels, at most so many lines of a width, and whether something
// was cut off. Words that are wider than a line are broken, unless they are to be whole.
func (t *typesetter) lines(text string, size, width, most int, whole bool) (lines []shaping.Line, cut bool) {
	if text == "" {
		return nil, false
	}
	runes := []rune(text)
	runs := t.shape(runes, size)
	config := shaping.WrapConfig{Direction: t.way, TruncateAfterLines: most, Truncator: t.shape([]rune("…"), size)[0]}
	if whole {
		config.BreakPolicy = shaping.Never
	}
	wrapped, missing := t.wrapper.WrapParagraph(config, width, runes, shaping.NewSliceIterator(runs))
	for _, line := range wrapped { // which are valid until the next paragraph only
		lines = append(lines, slices.Clone(line))
	}
	return lines, missing > 0
}

// shape returns the glyphs of a text, a run for each font and direction.
func (t *typesetter) shape(text []rune, size int) []shaping.Output {
	input := shaping.Input{Text: text, RunEnd: len(text), Direction: t.way, Size: fixed.I(size), Language: language.NewLanguage(t.language)}
	var runs []shaping.Output
	for _, run := range t.segmenter.Split(input, fonts{}) {
		runs = append(runs, t.shaper.Shape(run))
	}
	return runs
}

// widthOf returns the width of a line in pixels.
func widthOf(line shaping.Line) int {
	var sum fixed.Int26_6
	for i := range line {
		sum += line[i].Advance
	}
	return sum.Ceil()
}

// drawLine draws a line of glyphs of a size at a baseline, from its left end.
func drawLine(to draw.Image, line shaping.Line, left, baseline, size int, ink color.Color) {
	line = slices.Clone(line)
	slices.SortFunc(line, func(a, b shaping.Output) int { return int(a.VisualIndex - b.VisualIndex) })
	above := size * 3 / 2
	area := image.Rect(left-size/4, baseline-above, left+widthOf(line)+size/4, baseline+size).Intersect(to.Bounds())
	if area.Empty() {
		return
	}
	pen := vector.NewRasterizer(area.Dx(), area.Dy())
	x, y := float32(left-area.Min.X), float32(baseline-area.Min.Y)
	for i := range line {
		run := &line[i]
		scale := float32(size) / float32(run.Face.Upem())
		for _, g := range run.Glyphs {
			if outline, ok := run.Face.GlyphData(g.GlyphID).(font.GlyphOutline); ok {
				trace(pen, outline, x+pixels(g.XOffset), y-pixels(g.YOffset), scale)
			}
			x += pixels(g.Advance)
		}
	}
	pen.Draw(to, area, image.NewUniform(ink), image.Point{})
}

func pixels(n fixed.Int26_6) float32 { return float32(n) / 64 }

// trace follows the outline of a glyph.
func trace(pen *vector.Rasterizer, outline font.GlyphOutline, x, y, scale float32) {
	open := false
	for _, s := range outline.Segments {
		at := func(i int) (float32, float32) { return x + s.Args[i].X*scale, y - s.Args[i].Y*scale }
		ax, ay := at(0)
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if open {
				pen.ClosePath()
			}
			pen.MoveTo(ax, ay)
			open = true
		case opentype.SegmentOpLineTo:
			pen.LineTo(ax, ay)
		case opentype.SegmentOpQuadTo:
			bx, by := at(1)
			pen.QuadTo(ax, ay, bx, by)
		case opentype.SegmentOpCubeTo:
			bx, by := at(1)
			cx, cy := at(2)
			pen.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	if open {
		pen.ClosePath()
	}
}
