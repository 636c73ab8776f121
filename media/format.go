package media

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"path"

	"golang.org/x/image/webp"
)

// format describes an image format. strip returns the image without metadata, or ErrNotImage; config and decode
// operate on its result; profile returns the ICC profile, if any.
type format struct {
	mime, ext string
	strip     func([]byte) ([]byte, error)
	config    func(io.Reader) (image.Config, error)
	decode    func(io.Reader) (image.Image, error)
	profile   func([]byte) []byte
}

const (
	mimeJPEG = "image/jpeg"
	mimePNG  = "image/png"
	mimeGIF  = "image/gif"
	mimeWebP = "image/webp"
)

// sniff detects the format from the first bytes. These are the four formats of rule 6.1.
func sniff(data []byte) (format, bool) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return format{mimeJPEG, "jpg", stripJPEG, jpeg.DecodeConfig, jpeg.Decode, jpegProfile}, true
	case bytes.HasPrefix(data, []byte(pngSignature)):
		return format{mimePNG, "png", stripPNG, png.DecodeConfig, png.Decode, pngProfile}, true
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return format{mimeGIF, "gif", stripGIF, gif.DecodeConfig, decodeGIF, noProfile}, true
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return format{mimeWebP, "webp", stripWebP, webp.DecodeConfig, decodeWebP, webpProfile}, true
	}
	return format{}, false
}

func noProfile([]byte) []byte { return nil }

func extOf(mime string) string {
	switch mime {
	case mimeJPEG:
		return "jpg"
	case mimePNG:
		return "png"
	case mimeGIF:
		return "gif"
	case mimeWebP:
		return "webp"
	}
	return "bin"
}

func mimeOf(key string) string {
	switch path.Ext(key) {
	case ".jpg", ".jpeg":
		return mimeJPEG
	case ".png":
		return mimePNG
	case ".gif":
		return mimeGIF
	case ".webp":
		return mimeWebP
	}
	return "application/octet-stream"
}
