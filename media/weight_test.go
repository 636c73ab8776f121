//go:build !race

// What pictures weigh is measured, and the race detector weighs, too.

package media

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"runtime"
	"testing"
)

// TestWeight compares the predicted with the allocated memory, including garbage. It is not parallel, because other
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
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, failed := Decode(t.Context(), bytes.NewReader(file), Limits{})
		runtime.ReadMemStats(&after)
		took := int64(after.TotalAlloc - before.TotalAlloc)
		const tables = 1200 << 10 // of coders, whatever they code
		if failed != nil || took > weight+tables {
			t.Errorf("%s: %d bytes were foreseen, it took %d, %v", name, weight, took, failed)
		}
	}
}
