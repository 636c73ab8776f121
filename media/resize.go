package media

import (
	"image"
	"image/draw"
	"math"
)

// channels per pixel: red, green, blue and alpha, premultiplied.
const channels = 4

// scale returns part of an image in a smaller size, using the Catmull-Rom kernel. It processes the source row by row
// and keeps only the few rows of the result that the current row contributes to, so that a large image needs no
// additional memory.
func scale(src image.Image, part image.Rectangle, size image.Point) *image.RGBA {
	dst := image.NewRGBA(image.Rectangle{Max: size})
	across, down := newTaps(part.Dx(), size.X), newTaps(part.Dy(), size.Y)
	row := image.NewRGBA(image.Rect(0, 0, part.Dx(), 1))
	narrow := make([]float32, size.X*channels)
	sums := map[int][]float32{} // incomplete rows of the result
	var spare [][]float32
	first := 0 // the first of them
	for y := range part.Dy() {
		draw.Draw(row, row.Rect, src, image.Pt(part.Min.X, part.Min.Y+y), draw.Src)
		across.narrow(narrow, row.Pix)
		for to := first; to < size.Y && down[to].from <= y; to++ {
			t := &down[to]
			sum := sums[to]
			if sum == nil {
				if n := len(spare); n > 0 {
					sum, spare = spare[n-1], spare[:n-1]
					clear(sum)
				} else {
					sum = make([]float32, size.X*channels)
				}
				sums[to] = sum
			}
			weight := t.weights[y-t.from]
			for i, v := range narrow {
				sum[i] += v * weight
			}
			if y == t.from+len(t.weights)-1 {
				store(dst.Pix[to*dst.Stride:], sum)
				delete(sums, to)
				spare = append(spare, sum)
				first = to + 1
			}
		}
	}
	return dst
}

// tap describes the source pixels that contribute to a pixel of the result.
type tap struct {
	from    int
	weights []float32
}

type taps []tap

// newTaps returns the taps for scaling n pixels to size pixels.
func newTaps(n, size int) taps {
	all := make(taps, size)
	ratio := float64(n) / float64(size)
	wide := max(1, ratio)
	for i := range all {
		centre := (float64(i)+0.5)*ratio - 0.5
		from, to := max(0, int(math.Ceil(centre-2*wide))), min(n-1, int(math.Floor(centre+2*wide)))
		weights, sum := make([]float64, to-from+1), 0.0
		for j := range weights {
			weights[j] = catmullRom((float64(from+j) - centre) / wide)
			sum += weights[j]
		}
		all[i] = tap{from, make([]float32, len(weights))}
		for j, w := range weights {
			all[i].weights[j] = float32(w / sum)
		}
	}
	return all
}

// catmullRom is the kernel, which is 0 from 2 on.
func catmullRom(t float64) float64 {
	switch t = math.Abs(t); {
	case t < 1:
		return (1.5*t-2.5)*t*t + 1
	case t < 2:
		return ((-0.5*t+2.5)*t-4)*t + 2
	}
	return 0
}

// narrow scales a row of the source to the width of the result.
func (all taps) narrow(dst []float32, pix []byte) {
	for i := range all {
		var r, g, b, a float32
		p := pix[all[i].from*channels:]
		for _, w := range all[i].weights {
			r += w * float32(p[0])
			g += w * float32(p[1])
			b += w * float32(p[2])
			a += w * float32(p[3])
			p = p[channels:]
		}
		d := dst[i*channels : i*channels+channels]
		d[0], d[1], d[2], d[3] = r, g, b, a
	}
}

// store writes a row of the result, limiting each color to its alpha.
func store(pix []byte, sum []float32) {
	for i := 0; i < len(sum); i += channels {
		a := min(max(sum[i+3], 0), math.MaxUint8)
		for c := range 3 {
			pix[i+c] = uint8(min(max(sum[i+c], 0), a) + 0.5)
		}
		pix[i+3] = uint8(a + 0.5)
	}
}
