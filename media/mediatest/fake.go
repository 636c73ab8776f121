package mediatest

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Fake is an in-memory implementation of the parts of S3 that a media.Store uses: PUT, GET, HEAD and DELETE of
// objects in the bucket "pictures", addressed by path, and listing them two per page. Multipart uploads appear once
// completed. It accepts every signature with the key "key".
type Fake struct {
	mu    sync.Mutex
	blobs map[string]Blob
	parts map[string][]byte // of the unfinished upload, by number
	begun time.Time         // start of that upload
}

// Blob is a stored object.
type Blob struct {
	MIME     string
	Data     []byte
	modified time.Time
}

// Blobs returns the objects by key, and whether a multipart upload is unfinished.
func (s *Fake) Blobs() (blobs map[string]Blob, unended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.blobs), s.parts != nil
}

// ServeHTTP implements http.Handler.
func (s *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=key/") {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "<Error><Code>InvalidAccessKeyId</Code></Error>")
		return
	}
	key, ok := strings.CutPrefix(r.URL.Path, "/pictures")
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "<Error><Code>NoSuchBucket</Code></Error>")
		return
	}
	body, err := s3Body(r)
	if err != nil {
		http.Error(w, "", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q := r.URL.Query()
	switch key = strings.TrimPrefix(key, "/"); {
	case q.Get("list-type") == "2":
		s.list(w, q)
	case key == "" && q.Has("uploads"):
		s.unended(w, q)
	case key == "": // whether the bucket exists
	case q.Has("uploads") || q.Has("uploadId"):
		s.part(w, r, key, body)
	default:
		s.object(w, r, key, body)
	}
}

func (s *Fake) object(w http.ResponseWriter, r *http.Request, key string, body []byte) {
	blob, found := s.blobs[key]
	switch {
	case r.Method == http.MethodPut:
		s.blobs[key] = Blob{r.Header.Get("Content-Type"), body, time.Now()} //nolint:forbidigo // a server has its own clock
		w.Header().Set("ETag", `"1"`)
	case r.Method == http.MethodDelete:
		delete(s.blobs, key)
		w.WriteHeader(http.StatusNoContent)
	case !found:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "<Error><Code>NoSuchKey</Code></Error>")
	default:
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Content-Type", blob.MIME)
		http.ServeContent(w, r, "", blob.modified, bytes.NewReader(blob.Data))
	}
}

// part stores a part, or begins, completes or aborts a multipart upload. It supports one upload at a time.
func (s *Fake) part(w http.ResponseWriter, r *http.Request, key string, body []byte) {
	q := r.URL.Query()
	switch {
	case q.Has("uploads"):
		s.parts = map[string][]byte{"type": []byte(r.Header.Get("Content-Type")), "key": []byte(key)}
		s.begun = time.Now() //nolint:forbidigo // a server has its own clock
		_, _ = io.WriteString(w, "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>")
	case r.Method == http.MethodPut:
		s.parts[q.Get("partNumber")] = body
		w.Header().Set("ETag", `"`+q.Get("partNumber")+`"`)
	case r.Method == http.MethodDelete:
		s.parts = nil
		w.WriteHeader(http.StatusNoContent)
	default:
		blob := Blob{MIME: string(s.parts["type"]), modified: s.begun}
		for n := 1; s.parts[strconv.Itoa(n)] != nil; n++ {
			blob.Data = append(blob.Data, s.parts[strconv.Itoa(n)]...)
		}
		s.blobs[key], s.parts = blob, nil
		_, _ = io.WriteString(w, `<CompleteMultipartUploadResult><Bucket>pictures</Bucket><ETag>"1"</ETag></CompleteMultipartUploadResult>`)
	}
}

// list returns the next two objects with a prefix.
func (s *Fake) list(w http.ResponseWriter, q url.Values) {
	type object struct {
		Key          string
		Size         int
		LastModified time.Time
	}
	answer := struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		NextContinuationToken string
		Contents              []object
	}{}
	for _, key := range slices.Sorted(maps.Keys(s.blobs)) {
		if !strings.HasPrefix(key, q.Get("prefix")) || key <= q.Get("continuation-token") {
			continue
		}
		if len(answer.Contents) == 2 {
			answer.IsTruncated, answer.NextContinuationToken = true, answer.Contents[1].Key
			break
		}
		answer.Contents = append(answer.Contents, object{key, len(s.blobs[key].Data), s.blobs[key].modified.UTC()})
	}
	_ = xml.NewEncoder(w).Encode(answer)
}

// unended lists the unfinished multipart upload.
func (s *Fake) unended(w http.ResponseWriter, q url.Values) {
	type upload struct {
		Key       string
		UploadID  string `xml:"UploadId"`
		Initiated time.Time
	}
	answer := struct {
		XMLName xml.Name `xml:"ListMultipartUploadsResult"`
		Upload  []upload
	}{}
	if key := string(s.parts["key"]); s.parts != nil && strings.HasPrefix(key, q.Get("prefix")) {
		answer.Upload = []upload{{key, "1", s.begun.UTC()}}
	}
	_ = xml.NewEncoder(w).Encode(answer)
}

// s3Body returns the body, decoded from the signed chunks that clients send without TLS.
func s3Body(r *http.Request) ([]byte, error) {
	if !strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return io.ReadAll(r.Body)
	}
	var body bytes.Buffer
	for in := bufio.NewReader(r.Body); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		var n int64
		if _, err := fmt.Sscanf(line, "%x;", &n); err != nil {
			return nil, err
		}
		if n == 0 {
			return body.Bytes(), nil
		}
		if _, err := io.CopyN(&body, in, n); err != nil {
			return nil, err
		}
		if _, err := in.Discard(2); err != nil {
			return nil, err
		}
	}
}
