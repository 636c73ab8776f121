package media

import (
	"bytes"
	"image"
	"image/gif"
	"io"
)

// Block introducers and extension labels of a GIF file (GIF89a, appendix A).
const (
	gifExtension = 0x21
	gifImage     = 0x2c
	gifTrailer   = 0x3b
	gifControl   = 0xf9
	gifApp       = 0xff
)

const gifHeader = 13

// stripGIF copies the screen, the frames with their controls, and the loop count. It drops comments, application data
// (XMP), text blocks and data after the end.
func stripGIF(data []byte) ([]byte, error) {
	if len(data) < gifHeader {
		return nil, ErrNotImage
	}
	start := gifHeader + gifTable(data[10])
	if start > len(data) {
		return nil, ErrNotImage
	}
	out, rest, frames := append(make([]byte, 0, len(data)), data[:start]...), data[start:], 0
	for len(rest) > 0 && rest[0] != gifTrailer {
		n := gifBlock(rest)
		if n < 0 {
			return nil, ErrNotImage
		}
		block := rest[:n]
		rest = rest[n:]
		switch {
		case block[0] == gifImage:
			frames++
			out = append(out, block...)
		case block[1] == gifControl:
			out = append(out, block...)
		case block[1] == gifApp:
			out = append(out, gifLoop(block)...)
		}
	}
	if frames == 0 { // accept a missing trailer, which many encoders omit
		return nil, ErrNotImage
	}
	return append(out, gifTrailer), nil
}

// gifTable returns the length of the color table that flags declare.
func gifTable(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// gifBlock returns the length of the block at the start of rest, or -1 if it is invalid or incomplete.
func gifBlock(rest []byte) int {
	at := 2 // introducer and label
	switch {
	case rest[0] == gifImage && len(rest) > 10:
		at = 10 + gifTable(rest[9]) + 1 // descriptor, colours, code size
	case rest[0] != gifExtension:
		return -1
	}
	for at < len(rest) {
		n := int(rest[at])
		at += 1 + n
		if n == 0 {
			return at
		}
	}
	return -1
}

// gifLoop returns the loop count of an application block as a block of its own, or nothing for any other application.
func gifLoop(block []byte) []byte {
	const head = "\x21\xff\x0bNETSCAPE2.0\x03\x01"
	if len(block) < len(head)+3 || !bytes.HasPrefix(block, []byte(head)) {
		return nil
	}
	return append(bytes.Clone(block[:len(head)+2]), 0)
}

// decodeGIF returns the first frame, placed on its screen.
func decodeGIF(r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	config, err := gif.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	frame, err := gif.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return onCanvas(config.Width, config.Height, frame, frame.Bounds().Min), nil
}
