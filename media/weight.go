package media

import (
	"bytes"
	"image"

	"github.com/kalends/kalends/calendar"
)

// weigh returns an upper bound of the memory in use, in bytes, while an image is decoded, rotated and scaled to a list
// of sizes. It depends on the format, because the memory per pixel varies twentyfold. Once there is the largest size,
// the image itself is in use no more.
func (f *format) weigh(file []byte, config image.Config, list []target, turns bool) int64 {
	w, h := int64(config.Width), int64(config.Height)
	var unpacked int64
	switch f.mime {
	case mimeJPEG:
		unpacked = weighJPEG(file, w, h, turns)
	case mimePNG:
		unpacked = w * h * bytesPNG(file)
	case mimeGIF:
		unpacked = w * h * (1 + bytesRGBA) // the first frame, and the screen if the frame covers only part of it
	default:
		unpacked = w * h * bytesWebP(file)
	}
	var largest, first, kept, work int64
	for _, t := range list {
		part, size, ok := t.plan(config.Width, config.Height, int64(len(file)))
		if !ok {
			continue
		}
		pixels := int64(size.X) * int64(size.Y)
		scaling := weighTaps(part.Dx(), size.X) + weighTaps(part.Dy(), size.Y) + bytesRGBA*int64(part.Dx())
		encoding := bytesRGBA*pixels + coder
		kept += pixels * f.bytesKept(file)
		if t.name == calendar.SizeLargest && (size.X < config.Width || size.Y < config.Height) {
			largest, first = bytesRGBA*pixels, scaling
			work = max(work, encoding)
		} else {
			work = max(work, bytesRGBA*pixels+scaling+encoding)
		}
	}
	if largest == 0 {
		unpacked += kept + work
	} else {
		unpacked = largest + max(unpacked+first, kept+work)
	}
	const copies = 2 // as sent, then without metadata, and one more made by decoders
	return unpacked + copies*int64(len(file))
}

// bytesKept returns the bytes per pixel of an encoded size: sizes without transparency are JPEGs if PNG would be
// larger.
func (f *format) bytesKept(file []byte) int64 {
	if f.mime == mimeJPEG || f.mime == mimePNG && opaquePNG(file) {
		return 2
	}
	return bytesRGBA
}

// opaquePNG reports whether a PNG can have no transparency.
func opaquePNG(file []byte) bool {
	colours := file[len(pngSignature)+9]
	return (colours == pngGray || colours == pngColour || colours == pngPaletted) && !pngTransparent(file)
}

// weighTaps returns an upper bound for newTaps: each of n pixels contributes to up to four of the result, or to the
// few around it.
func weighTaps(n, size int) int64 {
	const single, double, slot = 4, 8, 32
	weights := 4*int64(n) + 5*int64(size)
	return int64(size)*slot + (weights+weights/4)*(single+double) // memory is allocated in steps
}

const (
	bytesRGBA   = 4
	coder       = 900 << 10 // of the PNG encoder, whatever the image
	coefficient = 4         // of a progressive JPEG, for each sample
	block       = 8         // samples are stored in blocks of 8×8
)

// weighJPEG adds up the samples of each component. Progressive images keep all coefficients until the last scan.
func weighJPEG(file []byte, w, h int64, turns bool) int64 {
	frame, progressive := jpegFrame(file)
	if len(frame) < 6 {
		return mostUnpacked // no decoder should have to try
	}
	var components [][]byte
	widest, highest := int64(1), int64(1)
	for rest := frame[6:]; len(rest) >= 3 && len(components) < int(frame[5]); rest = rest[3:] {
		components = append(components, rest[:3])
		widest, highest = max(widest, int64(rest[1]>>4)), max(highest, int64(rest[1]&15))
	}
	columns, rows := ceil(w, widest*block), ceil(h, highest*block)
	var samples int64
	for _, c := range components {
		samples += columns * rows * int64(c[1]>>4) * int64(c[1]&15) * block * block
	}
	weight := samples
	if progressive {
		weight += samples * coefficient
	}
	converted := len(components) > 3 || jpegAdobe(file) || isRGB(components)
	if converted {
		weight += w * h * bytesRGBA
	}
	switch {
	case turns && converted:
		weight += 2 * w * h * bytesRGBA
	case turns:
		weight += max(samples, w*h) + w*h // including its encoded form
		if w%2 != 0 || h%2 != 0 {
			weight += 2 * w * h * bytesRGBA
		}
	}
	return weight
}

// isRGB reports whether the components are declared as red, green and blue.
func isRGB(components [][]byte) bool {
	return len(components) == 3 && components[0][0] == 'R' && components[1][0] == 'G' && components[2][0] == 'B'
}

// jpegAdobe reports whether an image has an Adobe segment that specifies its color conversion.
func jpegAdobe(file []byte) bool {
	for in := (jpegReader{file}); ; {
		s, ok := in.next()
		switch {
		case !ok || s.marker == markerSOS:
			return false
		case s.marker == markerAPPE && bytes.HasPrefix(s.payload, []byte(adobeTag)):
			return true
		}
	}
}

// jpegFrame returns the payload of the first frame header, and whether the image is progressive.
func jpegFrame(file []byte) (payload []byte, progressive bool) {
	for in := (jpegReader{file}); ; {
		s, ok := in.next()
		switch {
		case !ok || s.marker == markerSOS:
			return nil, false
		case s.marker >= markerSOF0 && s.marker <= markerSOF2:
			return s.payload, s.marker == markerSOF2
		}
	}
}

// bytesPNG returns the bytes per pixel. An interlaced image is assembled from several others.
func bytesPNG(file []byte) int64 {
	header := file[len(pngSignature)+8:]
	depth, colours, interlaced := header[8], header[9], header[12] != 0
	size := int64(bytesRGBA)
	switch {
	case depth == 16:
		size = 2 * bytesRGBA
	case colours == pngPaletted, colours == pngGray && !pngTransparent(file):
		size = 1
	}
	if interlaced {
		size *= 2
	}
	return size
}

// pngTransparent reports whether an image has a transparent color.
func pngTransparent(file []byte) bool {
	for rest := file[len(pngSignature):]; ; {
		c, after, ok := cutPNG(rest)
		if !ok || c.name == "IDAT" {
			return false
		}
		if c.name == "tRNS" {
			return true
		}
		rest = after
	}
}

// bytesWebP returns the bytes per pixel. Lossless images, and the transparency of others, are decoded twice if they
// have a palette; a frame is placed on a canvas.
func bytesWebP(file []byte) int64 {
	const lossy, lossless = 2, 2 * bytesRGBA
	size := int64(0)
	chunks, _ := webpChunks(file)
	for _, c := range chunks {
		switch c.name {
		case "ANMF":
			return bytesRGBA + lossy + lossless
		case "VP8 ":
			size += lossy
		case "VP8L", "ALPH":
			size += lossless
		}
	}
	return size
}

func ceil(n, by int64) int64 { return (n + by - 1) / by }
