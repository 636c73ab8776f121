// Package media keeps the bytes of images: it checks and strips what people
// upload, makes the smaller sizes, fetches pictures from the web on a user's
// word, and stores the results on local disk or in S3-compatible storage.
//
// It knows no SQL and no HTTP server, and imports nothing else of Kalends.
// What it promises is written in rule 6.1 (Media).
package media
