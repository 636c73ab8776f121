package discovery

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"time"

	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// iconSizes are the sizes of icons in pixels, by the path at which browsers request them.
var iconSizes = map[string]int{"/apple-touch-icon.png": 180, "/icon-192.png": 192, "/icon-512.png": 512}

// icon returns the handler of an icon: a calendar sheet in the color of the site.
func (w *Pages) icon(path string) layout.Handler {
	return func(ctx context.Context, _ layout.Asked) (*layout.Shown, error) {
		file, err := drawIcon(iconSizes[path], siteColor(ctx))
		return &layout.Shown{File: file, Kind: "image/png", Until: w.calendar.Now().Add(24 * time.Hour), Version: siteVersion(ctx)}, err
	}
}

// favicon returns the icon that browsers request even if no page names it.
func (w *Pages) favicon(ctx context.Context, _ layout.Asked) (*layout.Shown, error) {
	const size, header = 32, 22
	file, err := drawIcon(size, siteColor(ctx))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer // an ICO file with one picture
	for _, n := range []uint16{0, 1, 1, size | size<<8, 0, 1, 32} {
		_ = binary.Write(&b, binary.LittleEndian, n)
	}
	for _, n := range []uint32{uint32(len(file)), header} {
		_ = binary.Write(&b, binary.LittleEndian, n)
	}
	b.Write(file)
	return &layout.Shown{
		File:    b.Bytes(),
		Kind:    "image/vnd.microsoft.icon",
		Until:   w.calendar.Now().Add(24 * time.Hour),
		Version: siteVersion(ctx),
	}, nil
}

// manifest describes the site to browsers that put it on a home screen.
func (w *Pages) manifest(ctx context.Context, _ layout.Asked) (*layout.Shown, error) {
	icons := []map[string]any{}
	for _, path := range []string{"/icon-192.png", "/icon-512.png"} {
		size := strconv.Itoa(iconSizes[path])
		icons = append(icons, map[string]any{"src": path, "sizes": size + "x" + size, "type": "image/png"})
	}
	d := ui.DatesIn(ctx)
	file, err := json.Marshal(map[string]any{
		"name":        ui.SiteName(ctx),
		"lang":        d.Tag,
		"dir":         ui.Direction(d),
		"start_url":   ui.Href(ctx, "/"),
		"scope":       "/",
		"display":     "minimal-ui",
		"theme_color": siteColor(ctx).String(),
		"icons":       icons,
	})
	return &layout.Shown{
		File:    file,
		Kind:    "application/manifest+json",
		Until:   w.calendar.Now().Add(24 * time.Hour),
		Version: siteVersion(ctx),
	}, err
}

// siteVersion returns the version of the site's settings as known to the request.
func siteVersion(ctx context.Context) int64 {
	if site := tenancy.Current(ctx).Site; site != nil {
		return site.Version
	}
	return 0
}

// siteColor returns the color of the site in the light theme.
func siteColor(ctx context.Context) ui.RGB {
	chosen, ok := ui.ReadColor(cmp.Or(ui.SiteOf(ctx).Settings.Accent, ui.StandardAccent))
	if !ok {
		chosen, _ = ui.ReadColor(ui.StandardAccent)
	}
	light, _ := ui.Shades(chosen)
	return light.Accent
}

// drawIcon draws a calendar sheet: a page with two rings and a day.
func drawIcon(size int, ground ui.RGB) ([]byte, error) {
	const fine = 4 // samples per pixel in each direction
	m := image.NewNRGBA(image.Rect(0, 0, size, size))
	paper := ui.RGB{1, 1, 1}
	for y := range size {
		for x := range size {
			var sum ui.RGB
			for i := range fine * fine {
				at := func(pixel, part int) float64 {
					return (float64(pixel) + (float64(part)+0.5)/fine) / float64(size) * 32
				}
				c := ground
				if onIcon(at(x, i%fine), at(y, i/fine)) {
					c = paper
				}
				for part := range c {
					sum[part] += c[part] / (fine * fine)
				}
			}
			m.SetNRGBA(x, y, color.NRGBA{uint8(sum[0]*255 + 0.5), uint8(sum[1]*255 + 0.5), uint8(sum[2]*255 + 0.5), 255})
		}
	}
	var b bytes.Buffer
	err := png.Encode(&b, m)
	return b.Bytes(), err
}

// onIcon reports whether a point of the 32 × 32 icon has the light color: the edge of the page, the line below its head, its
// rings and its day.
func onIcon(x, y float64) bool {
	within := func(left, top, right, bottom float64) bool { return x >= left && x < right && y >= top && y < bottom }
	edge := within(6, 8, 26, 26) && !within(8, 10, 24, 24)
	rings := within(10.5, 5, 12.5, 10) || within(19.5, 5, 21.5, 10)
	return edge || rings || within(6, 12, 26, 14) || math.Hypot(x-13, y-19) < 2.5
}
