//go:build !race

// What many pictures take is measured, and the race detector takes most of a minute for one of them. Who shares the budget with whom is
// tested without pictures.

package media

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// hugePNG is a PNG of one colour: few bytes, many pixels.
func hugePNG(w, h int, depth, colours, interlace byte) []byte {
	out := []byte(pngSignature)
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	out = appendChunk(out, "IHDR", append(head, depth, colours, 0, 0, interlace))
	if colours == pngPaletted {
		out = appendChunk(out, "PLTE", []byte{9, 9, 9})
	}
	samples := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colours]
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	pass := func(w, h int) {
		row := make([]byte, 1+(w*samples*int(depth)+7)/8)
		for range h {
			_, _ = z.Write(row)
		}
	}
	if interlace == 0 {
		pass(w, h)
	} else {
		for _, p := range [][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}} {
			if pw, ph := (w-p[0]+p[2]-1)/p[2], (h-p[1]+p[3]-1)/p[3]; pw > 0 && ph > 0 {
				pass(pw, ph)
			}
		}
	}
	_ = z.Close()
	return appendChunk(appendChunk(out, "IDAT", packed.Bytes()), "IEND", nil)
}

func flatJPEG(t *testing.T, w, h int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func flatGIF(t *testing.T, w, h, frames int) []byte {
	g := &gif.GIF{}
	for range frames {
		g.Image, g.Delay = append(g.Image, image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Black, color.White})), append(g.Delay, 1)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Pictures that are small as files and large as pixels, of any kind, many at once, on several sites, with and without an account, take no
// more memory than the budget and what the garbage collector leaves.
func TestPicturesAtOnceStayWithinTheBudget(t *testing.T) { //nolint:paralleltest // it measures the whole process
	attacks := map[string][]byte{
		"16 bit":            hugePNG(7000, 7000, 16, 6, 0),
		"16 bit grey":       hugePNG(7000, 7000, 16, 0, 0),
		"interlaced":        hugePNG(5000, 5000, 16, 2, 1),
		"8 bit":             hugePNG(4000, 4000, 8, 2, 0),
		"palette":           hugePNG(4000, 4000, 1, 3, 0),
		"interlaced colour": hugePNG(3400, 3400, 8, 6, 1),
		"wide":              hugePNG(60000, 200, 8, 2, 0),
		"JPEG":              flatJPEG(t, 5000, 5000),
		"GIF":               flatGIF(t, 2500, 2500, 10),
	}
	old := debug.SetMemoryLimit(110 << 20) // as in service
	defer debug.SetMemoryLimit(old)
	b := NewBudget(0)
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var peak atomic.Uint64
	done := make(chan struct{})
	var watched sync.WaitGroup
	watched.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				var now runtime.MemStats
				runtime.ReadMemStats(&now)
				peak.Store(max(peak.Load(), now.HeapInuse+now.StackInuse))
			}
		}
	})
	var all sync.WaitGroup
	var taken, refused atomic.Int64
	for name, data := range attacks {
		for i := range 2 {
			for kind, ctx := range []context.Context{ofSite(t, int64(i)), strangers(t, int64(i))} {
				all.Go(func() {
					_, err := Decode(ctx, bytes.NewReader(data), Limits{Budget: b})
					switch {
					case err == nil:
						taken.Add(1)
					case errors.Is(err, ErrTooManyPixels):
						refused.Add(1)
					default:
						t.Errorf("%s, %d: %v", name, kind, err)
					}
				})
			}
		}
	}
	all.Wait()
	close(done)
	watched.Wait()
	said := fmt.Sprintf("%d taken, %d refused, at most %d MiB, %d before", taken.Load(), refused.Load(), peak.Load()>>20, before.HeapInuse>>20)
	t.Log(said)
	if most := before.HeapInuse + mostUnpacked + mostUnpacked/2; peak.Load() > most || taken.Load() == 0 || refused.Load() == 0 {
		t.Errorf("%s; it may be %d MiB", said, most>>20)
	}
}

// Who has no account sends at most 12 megapixels, whatever they weigh.
func TestStrangersSendSmallPictures(t *testing.T) {
	t.Parallel()
	data := hugePNG(4001, 3000, 1, 3, 0)
	if _, err := Decode(strangers(t, 1), bytes.NewReader(data), Limits{Budget: NewBudget(0)}); !errors.Is(err, ErrTooManyPixels) {
		t.Errorf("without an account: %v", err)
	}
	if _, err := Decode(ofSite(t, 1), bytes.NewReader(data), Limits{Budget: NewBudget(0)}); err != nil {
		t.Errorf("with one: %v", err)
	}
	if _, err := Decode(strangers(t, 1), bytes.NewReader(flatJPEG(t, 4000, 3000)), Limits{Budget: NewBudget(0)}); err != nil {
		t.Errorf("a photo of 12 megapixels: %v", err)
	}
}
