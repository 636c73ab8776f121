package media

import (
	"bytes"
	"encoding/binary"
)

// Flags of the VP8X header of a WebP file.
const (
	webpAnimation = 1 << 1
	webpXMP       = 1 << 2
	webpEXIF      = 1 << 3
	webpAlpha     = 1 << 4
	webpICC       = 1 << 5
)

const (
	riffHeader  = 12
	frameHeader = 16 // of an ANMF chunk
)

// riffChunk is one chunk of a WebP file.
type riffChunk struct {
	name string
	data []byte
}

// cutRIFF splits off the first chunk. ok is false if it is incomplete. The padding of the last chunk may be missing.
func cutRIFF(rest []byte) (c riffChunk, after []byte, ok bool) {
	if len(rest) < 8 {
		return c, nil, false
	}
	n := uint64(binary.LittleEndian.Uint32(rest[4:]))
	if n > uint64(len(rest)-8) {
		return c, nil, false
	}
	end := min(8+n+n%2, uint64(len(rest)))
	return riffChunk{string(rest[:4]), rest[8 : 8+n]}, rest[end:], true
}

func appendRIFF(out []byte, c riffChunk) []byte {
	out = binary.LittleEndian.AppendUint32(append(out, c.name...), uint32(len(c.data)))
	out = append(out, c.data...)
	return append(out, make([]byte, len(c.data)%2)...)
}

// riffChunks returns all chunks, or ErrNotImage if one is incomplete.
func riffChunks(rest []byte) (all []riffChunk, err error) {
	for len(rest) > 0 {
		c, after, ok := cutRIFF(rest)
		if !ok {
			return nil, ErrNotImage
		}
		all, rest = append(all, c), after
	}
	return all, nil
}

// webpChunks returns the chunks of a WebP file, ignoring data beyond its declared length.
func webpChunks(data []byte) ([]riffChunk, error) {
	n := uint64(binary.LittleEndian.Uint32(data[4:])) + 8
	if n < riffHeader || n > uint64(len(data)) {
		return nil, ErrNotImage
	}
	return riffChunks(data[riffHeader:n])
}

func webpFile(chunks []riffChunk) []byte {
	out := []byte("RIFF\x00\x00\x00\x00WEBP")
	for _, c := range chunks {
		out = appendRIFF(out, c)
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

// stripWebP copies image, transparency, animation and ICC profile, and adjusts the header. It drops EXIF, XMP,
// unknown chunks and data after the end.
func stripWebP(data []byte) ([]byte, error) {
	chunks, err := webpChunks(data)
	if err != nil {
		return nil, err
	}
	kept, header := []riffChunk{}, []byte{0}
	for _, c := range chunks {
		switch c.name {
		case "VP8X":
			if len(c.data) != 10 {
				return nil, ErrNotImage
			}
			header = bytes.Clone(c.data)
			header[0] &^= webpXMP | webpEXIF | webpICC
			c.data = header
		case "ICCP":
			header[0] |= webpICC
		case "ANMF":
			if c.data, err = stripFrame(c.data); err != nil {
				return nil, err
			}
		case "VP8 ", "VP8L", "ALPH", "ANIM":
		default:
			continue
		}
		kept = append(kept, c)
	}
	return webpFile(kept), nil
}

// stripFrame reduces a frame of an animation to its image.
func stripFrame(data []byte) ([]byte, error) {
	if len(data) < frameHeader {
		return nil, ErrNotImage
	}
	chunks, err := riffChunks(data[frameHeader:])
	if err != nil {
		return nil, err
	}
	out := bytes.Clone(data[:frameHeader])
	for _, c := range chunks {
		if c.name == "ALPH" || c.name == "VP8 " || c.name == "VP8L" {
			out = appendRIFF(out, c)
		}
	}
	return out, nil
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
