package media

import (
	"bytes"
	"encoding/binary"
)

// Markers of a JPEG file (ITU T.81, table B.1).
const (
	markerSOF0 = 0xc0
	markerSOF2 = 0xc2
	markerSOF  = 0xcf
	markerSOI  = 0xd8
	markerEOI  = 0xd9
	markerSOS  = 0xda
	markerDHP  = 0xdf
	markerAPP0 = 0xe0
	markerAPP1 = 0xe1
	markerAPP2 = 0xe2
	markerAPPE = 0xee
)

// maxScans limits the scans of a progressive image. A few bytes suffice to request another pass over the whole image;
// ordinary encoders use about ten.
const maxScans = 100

const (
	jfifTag  = "JFIF\x00"
	adobeTag = "Adobe"
	iccTag   = "ICC_PROFILE\x00"
	exifTag  = "Exif\x00\x00"
)

// jpegSegment is a marker with its payload and, after a start of scan, the entropy-coded data up to the next marker.
type jpegSegment struct {
	marker        byte
	payload, scan []byte
}

// jpegReader iterates over the segments of an image.
type jpegReader struct{ rest []byte }

// next returns the next segment. ok is false at the end of the data or if it is invalid. The last valid segment of a
// complete image is EOI.
func (j *jpegReader) next() (s jpegSegment, ok bool) {
	at := nextMarker(j.rest)
	if at < 0 {
		return s, false
	}
	s.marker, j.rest = j.rest[at+1], j.rest[at+2:]
	if s.marker == markerSOI || s.marker == markerEOI {
		return s, true
	}
	if s.marker < markerSOF0 || len(j.rest) < 2 {
		return s, false
	}
	n := int(binary.BigEndian.Uint16(j.rest))
	if n < 2 || n > len(j.rest) {
		return s, false
	}
	s.payload, j.rest = j.rest[2:n], j.rest[n:]
	if s.marker == markerSOS {
		end := nextMarker(j.rest)
		if end < 0 {
			return s, false
		}
		s.scan, j.rest = j.rest[:end], j.rest[end:]
	}
	return s, true
}

// nextMarker returns the position of the next marker, or -1. Stuffed zeros, restart markers and fill bytes belong to
// the preceding segment.
func nextMarker(data []byte) int {
	for i := 0; i+1 < len(data); i++ {
		m := data[i+1]
		if data[i] == 0xff && m != 0 && m != 0xff && (m < 0xd0 || m > 0xd7) {
			return i
		}
	}
	return -1
}

// stripJPEG losslessly copies what is needed to display the image: tables, frames, scans, and of the application
// segments JFIF (without preview), the ICC profile and Adobe's color transform. It drops EXIF, XMP, IPTC, comments,
// previews and data after the end.
func stripJPEG(data []byte) ([]byte, error) {
	in, scans := jpegReader{data}, 0
	out := make([]byte, 0, len(data))
	if s, ok := in.next(); !ok || s.marker != markerSOI {
		return nil, ErrNotImage
	}
	out = append(out, 0xff, markerSOI)
	for {
		s, ok := in.next()
		if s.marker == markerSOS {
			scans++
		}
		if !ok || s.marker == markerSOI || scans > maxScans {
			return nil, ErrNotImage
		}
		if s.marker == markerEOI {
			return append(out, 0xff, markerEOI), nil
		}
		if payload, keep := keptJPEG(s); keep {
			out = appendSegment(out, s.marker, payload)
			out = append(out, s.scan...)
		}
	}
}

// keptJPEG returns what to keep of a segment's payload, and whether to keep the segment.
func keptJPEG(s jpegSegment) ([]byte, bool) {
	p := s.payload
	switch {
	case s.marker <= markerDHP:
		return p, true
	case s.marker == markerAPP0 && bytes.HasPrefix(p, []byte(jfifTag)):
		if len(p) < 14 {
			return p, true
		}
		return append(bytes.Clone(p[:12]), 0, 0), true // no preview: 0×0
	case s.marker == markerAPP2 && bytes.HasPrefix(p, []byte(iccTag)):
		return p, true
	case s.marker == markerAPPE && bytes.HasPrefix(p, []byte(adobeTag)) && len(p) >= 12:
		return p[:12], true
	}
	return nil, false
}

func appendSegment(out []byte, marker byte, payload []byte) []byte {
	out = append(out, 0xff, marker)
	out = binary.BigEndian.AppendUint16(out, uint16(len(payload)+2))
	return append(out, payload...)
}
