//go:build !race

// What pictures weigh is measured, and the race detector weighs, too.

package media

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

// TestWeight compares the predicted with the memory in use, collecting garbage all the time. It is not parallel, because other
// tests allocate, too.
func TestWeight(t *testing.T) { //nolint:paralleltest // it measures what the whole process allocates
	gray := image.NewGray(image.Rect(0, 0, 900, 700))
	deep := image.NewNRGBA64(gray.Rect)
	deep.SetNRGBA64(3, 3, color.NRGBA64{1, 2, 3, 4})
	turned := jpegSegment{marker: markerAPP1, payload: exif(binary.BigEndian, 6)}
	for name, file := range map[string][]byte{
		"jpeg":              jpegFile(t, quarters(1200, 900)),
		"jpeg, turned":      withSegments(jpegFile(t, quarters(1200, 900)), turned),
		"jpeg, odd, turned": withSegments(jpegFile(t, quarters(1201, 901)), turned),
		"jpeg, gray":        jpegFile(t, gray),
		"progressive, 1":    progressiveJPEG(1000, 1),
		"progressive, 3":    progressiveJPEG(1000, 3),
		"progressive, 4":    progressiveJPEG(1000, 4),
		"png":               pngFile(t, quarters(1200, 900)),
		"png, deep":         flatPNG(t, deep),
		"png, gray":         flatPNG(t, gray),
		"gif":               gifFile(t, paletted(image.Rect(0, 0, 400, 200))),
		"webp":              webpOf(1200, 900, glass),
		"wide strip":        flatPNG(t, image.NewGray(image.Rect(0, 0, maxSide, 60))),
		"highest strip":     flatPNG(t, image.NewGray(image.Rect(0, 0, 60, maxSide))),
		"high strip":        flatPNG(t, image.NewGray(image.Rect(0, 0, 800, 9000))),
	} {
		f, _ := sniff(file)
		stripped := must[[]byte](t)(f.strip(file))
		config := must[image.Config](t)(f.config(bytes.NewReader(stripped)))
		weight := f.weigh(stripped, config, targets(), f.mime == mimeJPEG && jpegOrientation(file) != upright)
		runtime.GC()
		took, failed := peakOf(func() error {
			_, err := Decode(t.Context(), bytes.NewReader(file), Limits{})
			return err
		})
		const tables = 1200 << 10                           // of coders, whatever they code
		if failed != nil || took > weight+weight/8+tables { // garbage of the moment
			t.Errorf("%s: %d bytes were foreseen, it took %d, %v", name, weight, took, failed)
		}
	}
}

// peakOf returns by how much more memory is in use while something is done.
func peakOf(do func() error) (most int64, err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	now := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() int64 {
		metrics.Read(now)
		return int64(now[0].Value.Uint64())
	}
	before, done := read(), make(chan error)
	go func() { done <- do() }()
	for {
		select {
		case err := <-done:
			return most, err
		default:
			most = max(most, read()-before)
			runtime.Gosched()
		}
	}
}
