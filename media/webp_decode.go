package media

import (
	"bytes"
	"image"
	"io"

	"golang.org/x/image/webp"
)

// decodeWebP returns the image, or the first frame of an animation.
func decodeWebP(r io.Reader) (image.Image, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	chunks, err := webpChunks(data)
	if err != nil {
		return nil, err
	}
	for _, c := range chunks {
		if c.name == "ANMF" {
			return decodeFrame(chunks[0], c.data)
		}
	}
	return webp.Decode(bytes.NewReader(data))
}

// decodeFrame decodes one frame as a still image and places it on the canvas.
func decodeFrame(header riffChunk, frame []byte) (image.Image, error) {
	if header.name != "VP8X" || header.data[0]&webpAnimation == 0 {
		return nil, ErrNotImage
	}
	chunks, err := riffChunks(frame[frameHeader:])
	if err != nil {
		return nil, err
	}
	still := riffChunk{"VP8X", append(make([]byte, 4), frame[6:12]...)}
	if len(chunks) > 0 && chunks[0].name == "ALPH" {
		still.data[0] = webpAlpha
	}
	at := image.Pt(2*uint24(frame), 2*uint24(frame[3:]))
	size := image.Pt(1+uint24(frame[6:]), 1+uint24(frame[9:]))
	canvas := image.Rect(0, 0, 1+uint24(header.data[4:]), 1+uint24(header.data[7:]))
	if !(image.Rectangle{at, at.Add(size)}).In(canvas) {
		return nil, ErrNotImage
	}
	picture, err := webp.Decode(bytes.NewReader(webpFile(append([]riffChunk{still}, chunks...))))
	if err != nil {
		return nil, err
	}
	return onCanvas(canvas.Dx(), canvas.Dy(), picture, at), nil
}
