package signin

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// quietZone is the width of the white border of a QR code, in modules.
const quietZone = 4

// drawing is a QR code as an SVG path.
type drawing struct {
	side int
	path string // of the black modules
}

// box returns the viewBox.
func (d drawing) box() string { return fmt.Sprintf("0 0 %d %d", d.side, d.side) }

// drawn returns the QR code of a text.
func drawn(text string) (drawing, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return drawing{}, fmt.Errorf("draw a QR code: %w", err)
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quietZone, y+quietZone, x-from, x-from)
			}
		}
	}
	return drawing{code.Size + 2*quietZone, path.String()}, nil
}
