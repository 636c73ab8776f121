package media

import (
	"bytes"
	"image"
)

// weigh returns the bytes of memory that a picture takes at most while it is unpacked,
// turned upright and made smaller: of its format, for what a pixel takes differs twentyfold.
func (f *format) weigh(file []byte, config image.Config, turns bool) int64 {
	w, h := int64(config.Width), int64(config.Height)
	var unpacked int64
	switch f.mime {
	case mimeJPEG:
		unpacked = weighJPEG(file, w, h, turns)
	case mimePNG:
		unpacked = w * h * bytesPNG(file)
	case mimeGIF:
		unpacked = w * h * (1 + bytesRGBA) // the first picture, and the screen where it fills a part of that
	default:
		unpacked = w * h * bytesWebP(file)
	}
	for _, t := range targets() {
		if part, size, ok := t.plan(config.Width, config.Height); ok {
			unpacked += 2 * bytesRGBA * int64(size.X) * int64(size.Y) // and as it is written
			unpacked += weighTaps(part.Dx(), size.X) + weighTaps(part.Dy(), size.Y) + bytesRGBA*int64(part.Dx()) + coder
		}
	}
	const copies = 3 // as sent, without metadata, and one more that decoders make
	return unpacked + copies*int64(len(file))
}

// weighTaps returns what newTaps takes at most: of n pixels each has a part in up to
// four of the result, or in the few around it.
func weighTaps(n, size int) int64 {
	const single, double, slot = 4, 8, 32
	weights := 4*int64(n) + 5*int64(size)
	return int64(size)*slot + (weights+weights/4)*(single+double) // memory is given out in steps
}

const (
	bytesRGBA   = 4
	coder       = 900 << 10 // of what writes a PNG, whatever that shows
	coefficient = 4         // of a progressive JPEG, one for each sample
	block       = 8         // samples are kept by blocks, eight by eight
)

// weighJPEG adds up the samples of each component. Progressive pictures keep all
// coefficients until the last scan.
func weighJPEG(file []byte, w, h int64, turns bool) int64 {
	frame, progressive := jpegFrame(file)
	if len(frame) < 6 {
		return mostUnpacked // which no decoder should have to find out
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
	converted := len(components) > 3 || bytes.Contains(file, []byte(adobeTag)) || isRGB(components)
	if converted {
		weight += w * h * bytesRGBA
	}
	switch {
	case turns && converted:
		weight += 2 * w * h * bytesRGBA
	case turns:
		weight += max(samples, w*h) + w*h // and as it is written
		if w%2 != 0 || h%2 != 0 {
			weight += 2 * w * h * bytesRGBA
		}
	}
	return weight
}

// isRGB reports whether components are told to be red, green and blue.
func isRGB(components [][]byte) bool {
	return len(components) == 3 && components[0][0] == 'R' && components[1][0] == 'G' && components[2][0] == 'B'
}

// jpegFrame returns the payload of the first frame header, and whether it is of a
// progressive picture.
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

// bytesPNG returns what a pixel takes; one that is sent interlaced is put together of
// others.
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

// pngTransparent reports whether a colour of a picture is transparent.
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

// bytesWebP returns what a pixel takes: lossless pictures, and the transparency of others,
// are unpacked twice where they have a palette; a frame is put on a canvas.
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
