package media

import (
	"encoding/binary"
	"hash/crc32"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// Colour types of a PNG header.
const (
	pngGray     = 0
	pngColour   = 2
	pngPaletted = 3
)

// pngChunk is one chunk; raw is the whole chunk with length and checksum.
type pngChunk struct {
	name      string
	data, raw []byte
}

// cutPNG splits off the first chunk. ok is false if it is incomplete.
func cutPNG(rest []byte) (c pngChunk, after []byte, ok bool) {
	if len(rest) < 12 {
		return c, nil, false
	}
	n := uint64(binary.BigEndian.Uint32(rest))
	if n > uint64(len(rest)-12) {
		return c, nil, false
	}
	return pngChunk{string(rest[4:8]), rest[8 : 8+n], rest[:12+n]}, rest[12+n:], true
}

// stripPNG copies the chunks that affect rendering: the critical ones, transparency, color spaces, pixel dimensions
// and animation. It drops texts, EXIF, time, unknown chunks and data after the end.
func stripPNG(data []byte) ([]byte, error) {
	out, rest := append(make([]byte, 0, len(data)), pngSignature...), data[len(pngSignature):]
	for {
		c, after, ok := cutPNG(rest)
		if !ok {
			return nil, ErrNotImage
		}
		if keptPNG(c.name) {
			out = append(out, c.raw...)
		}
		if c.name == "IEND" {
			return out, nil
		}
		rest = after
	}
}

func keptPNG(name string) bool {
	switch name {
	case "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP",
		"pHYs", "acTL", "fcTL", "fdAT":
		return true
	}
	return false
}

func appendChunk(out []byte, name string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	start := len(out)
	out = append(append(out, name...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
}
