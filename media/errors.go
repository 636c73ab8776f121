package media

import "errors"

// The sentinels of this package; every error it returns for a reason named
// here matches with errors.Is. Texts for people are found elsewhere, by these.
var (
	// ErrNoBlob says that the store holds nothing under a key.
	ErrNoBlob = errors.New("media: no such blob")
	// ErrBadKey says that a key is not of the form {site}/{id}/{file}.
	ErrBadKey = errors.New("media: malformed blob key")
	// ErrBadSize says that a blob was not as long as announced.
	ErrBadSize = errors.New("media: blob size differs from the announced one")

	// ErrNotImage says that the bytes are not a whole JPEG, PNG, GIF or WebP.
	ErrNotImage = errors.New("media: not an image")
	// ErrTooLarge says that there are more bytes than allowed.
	ErrTooLarge = errors.New("media: too many bytes")
	// ErrTooManyPixels says that the picture is wider times higher than allowed.
	ErrTooManyPixels = errors.New("media: too many pixels")

	// ErrFetch says that a URL did not give an answer to use. Every error of
	// Fetcher.Fetch matches it.
	ErrFetch = errors.New("media: fetch failed")
	// ErrRefusedAddress says that the server will not ask this URL, or the
	// address behind it, on anybody's word.
	ErrRefusedAddress = errors.New("media: refused address")
)
