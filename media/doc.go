// Package media handles the bytes of images: it validates uploads and strips their metadata, generates smaller sizes,
// fetches images from user-supplied addresses, and stores the results on local disk or in S3-compatible storage.
//
// It knows no SQL and no HTTP server. Its guarantees are described in section 6 of docs/rules.md (Media).
package media
