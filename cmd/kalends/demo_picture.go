package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

// The images of the sample events are drawn by the program, so that there is no author to credit and nothing to ship.
const (
	demoWide = 720
	demoHigh = 480
)

// ink is an sRGB color.
type ink struct{ r, g, b float64 }

func hexInk(n uint32) ink {
	return ink{float64(n >> 16), float64(n >> 8 & 255), float64(n & 255)}
}

// mix returns the ink mixed with a share of another.
func (a ink) mix(b ink, share float64) ink {
	share = min(1, max(0, share))
	return ink{a.r + (b.r-a.r)*share, a.g + (b.g-a.g)*share, a.b + (b.b-a.b)*share}
}

// layer is a shape, defined by the distance from a point, which is negative inside.
type layer struct {
	distance func(x, y float64) float64
	ink      ink
	share    float64 // opacity, 0 to 1
}

// scene is a vertical gradient with shapes.
type scene struct {
	top, bottom ink
	layers      []layer
}

func (s *scene) add(n uint32, share float64, distance func(x, y float64) float64) {
	s.layers = append(s.layers, layer{distance, hexInk(n), share})
}

// Shapes. An image is 3 wide and 2 high; y points down.

func disc(cx, cy, r float64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return math.Hypot(x-cx, y-cy) - r }
}

func ring(cx, cy, r, wide float64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return math.Abs(math.Hypot(x-cx, y-cy)-r) - wide }
}

func box(cx, cy, w, h, turn float64) func(x, y float64) float64 {
	sin, cos := math.Sincos(turn)
	return func(x, y float64) float64 {
		x, y = x-cx, y-cy
		x, y = x*cos+y*sin, y*cos-x*sin
		return max(math.Abs(x)-w/2, math.Abs(y)-h/2)
	}
}

// hill is the area below a wave.
func hill(level, height, length, shift float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		return level - height*math.Sin(x*2*math.Pi/length+shift) - 0.35*height*math.Sin(x*5.3/length+shift*2) - y
	}
}

// peak is an upright triangle.
func peak(cx, top, base, half float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		return max(y-base, math.Abs(x-cx)-half*(y-top)/(base-top))
	}
}

// draw returns the scene as a PNG.
func (s *scene) draw() ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, demoWide, demoHigh))
	const soft = 1.5 / demoWide * 3 // width of blurred edges
	for py := range demoHigh {
		y := (float64(py) + 0.5) / demoHigh * 2
		ground := s.top.mix(s.bottom, y/2)
		for px := range demoWide {
			x := (float64(px) + 0.5) / demoWide * 3
			c := ground
			for i := range s.layers {
				l := &s.layers[i]
				if d := l.distance(x, y); d < soft {
					c = c.mix(l.ink, l.share*min(1, 0.5-d/(2*soft)))
				}
			}
			img.SetRGBA(px, py, color.RGBA{uint8(c.r), uint8(c.g), uint8(c.b), 255})
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}

// demoAlts are the alternative texts of the images.
var demoAlts = map[string]string{
	"lake": "A sailing boat on the lake before mountains", "jazz": "A record on a turntable under warm light",
	"market": "Striped awnings over crates of fruit",
	"book":   "Open books under a reading lamp", "film": "A beam of light from a projector", "church": "A church tower in the evening",
	"run": "A path along the shore at sunrise", "repair": "Cogwheels on a bench", "stage": "A curtain and a spotlight on a stage",
	"concert": "The strings of an instrument",
	"wine":    "Vineyards on a hill", "winter": "Snow on fir trees at night",
}

// demoScene returns the scene with a name, or nil.
func demoScene(name string) *scene {
	draw := map[string]func(*scene){"lake": drawLake, "jazz": drawJazz, "market": drawMarket, "book": drawBook, "film": drawFilm,
		"church": drawChurch,
		"run":    drawRun, "repair": drawRepair, "stage": drawStage, "concert": drawConcert, "wine": drawWine, "winter": drawWinter}[name]
	if draw == nil {
		return nil
	}
	s := &scene{}
	draw(s)
	return s
}

func (s *scene) ground(top, bottom uint32) { s.top, s.bottom = hexInk(top), hexInk(bottom) }

func drawLake(s *scene) {
	s.ground(0xf6d9b0, 0xf3efe2)
	s.add(0xfff3d6, 1, disc(2.2, 0.55, 0.24))
	s.add(0xa9bfcb, 1, peak(0.6, 0.55, 1.3, 0.95))
	s.add(0x8da9b9, 1, peak(1.75, 0.72, 1.3, 0.9))
	s.add(0x6f92a6, 1, peak(2.75, 0.85, 1.3, 0.8))
	s.add(0x2f6f8f, 1, hill(1.22, 0.012, 0.5, 0))
	s.add(0x2a6280, 1, hill(1.5, 0.02, 0.7, 1))
	s.add(0x235470, 1, hill(1.78, 0.025, 0.9, 2))
	s.add(0xfdfbf5, 1, func(x, y float64) float64 { return max(peak(1.12, 0.62, 1.38, 0.36)(x, y), x-1.12) })
	s.add(0xe4683f, 1, func(x, y float64) float64 { return max(peak(1.15, 0.72, 1.38, 0.34)(x, y), 1.15-x) })
	s.add(0x3b2a22, 1, func(x, y float64) float64 { return max(1.4-y, y-1.52, math.Abs(x-1.13)-0.42+(y-1.4)*1.1) })
}

func drawJazz(s *scene) {
	s.ground(0x3a1d4f, 0x1b1030)
	s.add(0xe9a23b, 0.25, disc(2.3, 0.2, 1.1))
	s.add(0xe9a23b, 0.25, disc(2.3, 0.2, 0.7))
	s.add(0x120a1e, 1, disc(1.25, 1.1, 0.78))
	for r := 0.34; r < 0.76; r += 0.07 {
		s.add(0x3a2b52, 1, ring(1.25, 1.1, r, 0.006))
	}
	s.add(0xe4683f, 1, disc(1.25, 1.1, 0.27))
	s.add(0xf6d9b0, 1, disc(1.25, 1.1, 0.04))
	s.add(0xd9cbb4, 1, disc(2.45, 0.45, 0.13))
	s.add(0xd9cbb4, 1, box(2.13, 0.78, 0.95, 0.035, 2.33))
	s.add(0xf6d9b0, 1, box(1.8, 1.13, 0.18, 0.09, 2.33))
}

func drawMarket(s *scene) {
	s.ground(0xbfe0e6, 0xf4ead2)
	for i := range 10 {
		n := uint32(0xfdf6e6)
		if i%2 == 0 {
			n = 0xd9533c
		}
		x := 0.15 + float64(i)*0.3
		s.add(n, 1, box(x, 0.5, 0.3, 0.52, 0))
		s.add(n, 1, disc(x, 0.76, 0.15))
	}
	s.add(0x8a5a34, 1, box(1.5, 1.55, 3, 0.9, 0))
	fruits := []uint32{0xd9533c, 0xe9a23b, 0x6f9e3f, 0xf0c64a, 0x8d3f5a}
	for row := range 2 {
		for i := range 15 {
			s.add(fruits[(i/3+row*2)%5], 1, disc(0.1+float64(i)*0.2, 1.08+float64(row)*0.14, 0.115))
		}
	}
	s.add(0xa26c40, 1, box(1.5, 1.42, 3, 0.24, 0))
	for i := range 6 {
		s.add(0x6d4526, 1, box(float64(i)*0.6, 1.6, 0.03, 0.8, 0))
	}
}

func drawBook(s *scene) {
	s.ground(0x27485c, 0x1c3342)
	s.add(0xf6e3b4, 0.35, disc(1.5, 0.35, 1.25))
	s.add(0xf6e3b4, 0.4, disc(1.5, 0.4, 0.8))
	s.add(0xe9a23b, 1, peak(1.5, 0.1, 0.5, 0.42))
	s.add(0x5b3a26, 1, box(1.5, 1.85, 3, 0.5, 0))
	for i, n := range []uint32{0xd9533c, 0x2f8f83, 0xf0c64a} {
		s.add(n, 1, box(1.5+0.06*float64(i-1), 1.52-0.13*float64(i), 1.5-0.12*float64(i), 0.12, 0))
	}
	s.add(0xfdf8ea, 1, box(1.17, 1.0, 0.7, 0.34, 0.16))
	s.add(0xf3ead2, 1, box(1.83, 1.0, 0.7, 0.34, -0.16))
}

func drawFilm(s *scene) {
	s.ground(0x14202e, 0x0d141d)
	s.add(0xf6e3b4, 0.75, func(x, y float64) float64 { return math.Abs(y-0.95+0.08*x) - 0.04 - 0.25*x })
	s.add(0xfff8e2, 0.9, box(2.75, 0.75, 0.5, 1.5, 0))
	s.add(0x05080c, 1, box(0.3, 0.98, 0.5, 0.36, 0))
	s.add(0x05080c, 1, disc(0.2, 0.68, 0.19))
	s.add(0x05080c, 1, disc(0.52, 0.7, 0.14))
	for i := range 8 {
		s.add(0x070b11, 1, disc(0.2+float64(i)*0.38, 1.82, 0.15))
		s.add(0x070b11, 1, box(0.2+float64(i)*0.38, 1.98, 0.34, 0.18, 0))
	}
}

func drawChurch(s *scene) {
	s.ground(0x3c4f8a, 0xf1a779)
	s.add(0xfbe3c0, 1, disc(0.7, 0.5, 0.17))
	s.add(0x5d5f8f, 1, hill(1.35, 0.12, 1.9, 0.6))
	s.add(0x2b2f55, 1, box(1.9, 1.2, 0.36, 1.1, 0))
	s.add(0x7d2f3a, 1, peak(1.9, 0.1, 0.68, 0.26))
	s.add(0x2b2f55, 1, box(2.4, 1.5, 0.9, 0.6, 0))
	s.add(0x7d2f3a, 1, peak(2.4, 0.9, 1.22, 0.6))
	for _, y := range []float64{0.9, 1.2} {
		s.add(0xffd98a, 1, box(1.9, y, 0.09, 0.17, 0))
	}
	for i := range 3 {
		s.add(0xffd98a, 1, box(2.2+float64(i)*0.2, 1.48, 0.07, 0.2, 0))
	}
	s.add(0x232646, 1, hill(1.72, 0.05, 1.3, 2))
}

func drawRun(s *scene) {
	s.ground(0xffd1a1, 0xffe9cf)
	s.add(0xff9d5c, 1, disc(1.5, 0.95, 0.42))
	s.add(0x7fb0b8, 1, hill(0.98, 0.01, 0.6, 0))
	s.add(0x4f8a6b, 1, hill(1.22, 0.1, 2.6, 0.4))
	s.add(0x3c7058, 1, hill(1.5, 0.08, 2.1, 2.2))
	s.add(0xf4e6c8, 1, func(x, y float64) float64 {
		return max(1.2-y, math.Abs(x-1.5-0.55*math.Sin(y*3.4))-0.28*(y-1.1))
	})
	for _, x := range []float64{0.35, 0.62, 2.5, 2.78} {
		s.add(0x2c5444, 1, box(x, 1.12, 0.03, 0.36, 0))
		s.add(0x2c5444, 1, disc(x, 0.85, 0.17))
	}
}

func drawRepair(s *scene) {
	s.ground(0xd8e4df, 0xb7cbc4)
	cog := func(cx, cy, r float64, n uint32) {
		s.add(n, 1, func(x, y float64) float64 {
			a := math.Atan2(y-cy, x-cx)
			return math.Hypot(x-cx, y-cy) - r - 0.11*r*max(-1, min(1, 4*math.Sin(a*11)))
		})
		s.add(0xd8e4df, 1, disc(cx, cy, r*0.45))
		s.add(n, 1, disc(cx, cy, r*0.18))
	}
	cog(1.05, 1.0, 0.6, 0x2f6b6b)
	cog(2.12, 0.72, 0.42, 0xd9533c)
	cog(2.3, 1.62, 0.34, 0xe9a23b)
}

func drawStage(s *scene) {
	s.ground(0x4d1420, 0x2c0b13)
	s.add(0xf6e3b4, 0.5, func(x, y float64) float64 { return math.Abs(x-1.5) - 0.12 - 0.4*y })
	s.add(0x7a4a2b, 1, box(1.5, 1.85, 3, 0.5, 0))
	s.add(0xf8ecd0, 0.85, func(x, y float64) float64 { return math.Hypot((x-1.5)/0.85, (y-1.72)/0.16)*0.2 - 0.2 })
	for i := range 5 {
		n := uint32(0xa3222f)
		if i%2 == 1 {
			n = 0x861a28
		}
		s.add(n, 1, box(0.08+0.17*float64(i), 0.85, 0.17, 1.9-0.12*float64(i), 0))
		s.add(n, 1, box(2.92-0.17*float64(i), 0.85, 0.17, 1.9-0.12*float64(i), 0))
	}
	for i := range 9 {
		s.add(0xc12b38, 1, disc(float64(i)*0.375, 0.06, 0.24))
	}
}

func drawConcert(s *scene) {
	s.ground(0x8a4a22, 0x5d2d14)
	s.add(0xb8672f, 1, disc(1.5, 2.1, 1.25))
	s.add(0xc97a3c, 1, disc(1.5, 0.15, 0.85))
	s.add(0x2a140a, 1, box(1.5, 1, 0.42, 2, 0))
	for i := range 4 {
		s.add(0xf6e3b4, 1, box(1.38+0.08*float64(i), 1, 0.012, 2, 0))
	}
	s.add(0xe8c48a, 1, box(1.5, 1.45, 0.62, 0.07, 0))
	s.add(0xf3ead2, 1, box(1.5, 1.05, 2.7, 0.03, -0.42))
	s.add(0x1c0d06, 1, box(1.5, 0.98, 2.8, 0.045, -0.42))
}

func drawWine(s *scene) {
	s.ground(0xbcdcea, 0xf8edd2)
	s.add(0xfff3c4, 1, disc(0.6, 0.45, 0.2))
	s.add(0x8fb573, 1, hill(0.95, 0.16, 2.6, 0.5))
	s.add(0x6f9e4f, 1, hill(1.25, 0.12, 2.2, 2.5))
	for i := range 7 {
		y := 1.3 + float64(i)*0.12
		s.add(0x4c7a38, 1, func(x, yy float64) float64 {
			return math.Abs(yy-y-0.1*math.Sin(x*1.9+0.7)) - 0.018 - 0.012*math.Sin(x*40)
		})
	}
	s.add(0xfdf8ea, 1, box(2.25, 0.9, 0.36, 0.22, 0))
	s.add(0xc4503a, 1, peak(2.25, 0.6, 0.8, 0.28))
}

func drawWinter(s *scene) {
	s.ground(0x16264d, 0x5a78a8)
	s.add(0xf5f0d8, 1, disc(2.35, 0.42, 0.19))
	for i := range 60 {
		x, y := math.Mod(float64(i)*0.618*3, 3), math.Mod(float64(i)*0.377*2, 1.5)
		s.add(0xffffff, 0.9, disc(x, y, 0.008+0.006*float64(i%3)))
	}
	s.add(0xc9d8ea, 1, hill(1.3, 0.1, 2.3, 1))
	for i, x := range []float64{0.4, 0.85, 1.3, 2.55} {
		h := 0.75 + 0.1*float64(i%3)
		for k := range 3 {
			top := 1.6 - h + float64(k)*h*0.26
			s.add(0x1d4a4a, 1, peak(x, top, top+h*0.42, 0.14+0.07*float64(k)))
			s.add(0xf4f8fc, 1, peak(x, top, top+h*0.13, 0.045+0.02*float64(k)))
		}
	}
	s.add(0xf4f8fc, 1, hill(1.65, 0.07, 1.7, 2.4))
}
