package media

import (
	"bytes"
	"compress/zlib"
	"io"
	"slices"
)

// maxProfile is the maximum size of an ICC profile in bytes. Those of cameras have a few kilobytes.
const maxProfile = 1 << 20

// Colour spaces as an ICC profile names them in its header.
const (
	iccRGB  = "RGB "
	iccGray = "GRAY"
)

// profileSpace returns the color space of a profile.
func profileSpace(icc []byte) string {
	if len(icc) < 128 || len(icc) > maxProfile {
		return ""
	}
	return string(icc[16:20])
}

// jpegProfile assembles the ICC profile of a JPEG, which may be split into numbered segments.
func jpegProfile(data []byte) []byte {
	var parts [][]byte
	for in := (jpegReader{data}); ; {
		s, ok := in.next()
		if !ok || s.marker == markerSOS || s.marker == markerEOI {
			break
		}
		if part, found := bytes.CutPrefix(s.payload, []byte(iccTag)); found && s.marker == markerAPP2 && len(part) > 2 {
			parts = append(parts, part)
		}
	}
	slices.SortStableFunc(parts, func(a, b []byte) int { return int(a[0]) - int(b[0]) })
	var icc []byte
	for _, part := range parts {
		icc = append(icc, part[2:]...)
	}
	return icc
}

// pngProfile decompresses the ICC profile of a PNG.
func pngProfile(data []byte) []byte {
	for rest := data[len(pngSignature):]; ; {
		c, after, ok := cutPNG(rest)
		if !ok || c.name == "IDAT" {
			return nil
		}
		if _, packed, found := bytes.Cut(c.data, []byte{0}); found && c.name == "iCCP" && len(packed) > 1 {
			return inflate(packed[1:])
		}
		rest = after
	}
}

func inflate(packed []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	icc, err := io.ReadAll(io.LimitReader(r, maxProfile+1))
	if err != nil {
		return nil
	}
	return icc
}

// webpProfile returns the ICC profile of a WebP.
func webpProfile(data []byte) []byte {
	chunks, _ := webpChunks(data)
	for _, c := range chunks {
		if c.name == "ICCP" {
			return c.data
		}
	}
	return nil
}

// withProfile inserts an ICC profile into a newly encoded file, which has none.
func withProfile(file []byte, mime string, icc []byte) []byte {
	if mime == mimePNG {
		const afterHeader = len(pngSignature) + 25
		return slices.Insert(file, afterHeader, pngProfileChunk(icc)...)
	}
	const most = 65535 - 2 - len(iccTag) - 2
	var segments []byte
	parts := slices.Collect(slices.Chunk(icc, most))
	for i, part := range parts {
		payload := append([]byte(iccTag), byte(i+1), byte(len(parts)))
		segments = appendSegment(segments, markerAPP2, append(payload, part...))
	}
	return slices.Insert(file, 2, segments...)
}

func pngProfileChunk(icc []byte) []byte {
	packed := bytes.NewBufferString("icc\x00\x00")
	w := zlib.NewWriter(packed)
	_, _ = w.Write(icc) // writing to a buffer cannot fail
	_ = w.Close()
	return appendChunk(nil, "iCCP", packed.Bytes())
}
