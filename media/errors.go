package media

import "errors"

// The errors of this package. They are matched with errors.Is; messages for people are defined elsewhere.
var (
	// ErrNoBlob is returned if the store has no blob with a key.
	ErrNoBlob = errors.New("media: no such blob")
	// ErrBadKey is returned for a key that is not of the form {site}/{id}/{file}.
	ErrBadKey = errors.New("media: malformed blob key")
	// ErrBadSize is returned for a blob that is shorter or longer than announced.
	ErrBadSize = errors.New("media: blob size differs from the announced one")

	// ErrNotImage is returned for data that is not a complete JPEG, PNG, GIF or WebP.
	ErrNotImage = errors.New("media: not an image")
	// ErrTooLarge is returned for more bytes than allowed.
	ErrTooLarge = errors.New("media: too many bytes")
	// ErrTooManyPixels is returned for an image with more pixels than allowed.
	ErrTooManyPixels = errors.New("media: too many pixels")

	// ErrFetch is matched by every error of Fetcher.Fetch.
	ErrFetch = errors.New("media: fetch failed")
)
