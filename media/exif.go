package media

import (
	"bytes"
	"encoding/binary"
)

// orientation is the EXIF orientation (tag 0x0112), 1 to 8.
type orientation uint16

const upright orientation = 1

const tagOrientation = 0x0112

// jpegOrientation returns the EXIF orientation of a JPEG, or upright if it has none or an invalid one.
func jpegOrientation(data []byte) orientation {
	in := jpegReader{data}
	for {
		s, ok := in.next()
		if !ok || s.marker == markerSOS || s.marker == markerEOI {
			return upright
		}
		if tiff, found := bytes.CutPrefix(s.payload, []byte(exifTag)); found && s.marker == markerAPP1 {
			return tiffOrientation(tiff)
		}
	}
}

func tiffOrientation(tiff []byte) orientation {
	var order binary.ByteOrder = binary.LittleEndian
	if len(tiff) < 8 {
		return upright
	}
	switch string(tiff[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return upright
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return upright
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			return upright
		}
		const short = 3
		if order.Uint16(entries) == tagOrientation && order.Uint16(entries[2:]) == short {
			if o := orientation(order.Uint16(entries[8:])); o >= 1 && o <= 8 {
				return o
			}
			return upright
		}
		entries = entries[12:]
	}
	return upright
}
