package media

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

// fakeS3 is as much of S3 as a Store asks for: PUT, GET, HEAD and DELETE of
// objects in the bucket "pictures", addressed by path, and the list of them, two
// a page. What comes in parts is there when they are put together.
type fakeS3 struct {
	mu    sync.Mutex
	blobs map[string]fakeBlob
	parts map[string][]byte // of uploads that aren't ended, by number
}

type fakeBlob struct {
	mime string
	data []byte
}

func (s *fakeS3) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && r.URL.Query().Get("list-type") == "2" {
		s.list(w, r.URL.Query())
		return
	}
	key, ok := strings.CutPrefix(r.URL.Path, "/pictures/kalends/")
	if !ok || !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=key/") {
		http.Error(w, "", http.StatusForbidden)
		return
	}
	body, err := s3Body(r)
	if err != nil {
		http.Error(w, "", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	blob, found := s.blobs[key]
	switch {
	case r.URL.Query().Has("uploads") || r.URL.Query().Has("uploadId"):
		s.part(w, r, key, body)
	case r.Method == http.MethodPut:
		s.blobs[key] = fakeBlob{r.Header.Get("Content-Type"), body}
		w.Header().Set("ETag", `"1"`)
	case r.Method == http.MethodDelete:
		delete(s.blobs, key)
		w.WriteHeader(http.StatusNoContent)
	case !found:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "<Error><Code>NoSuchKey</Code></Error>")
	default:
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Content-Type", blob.mime)
		http.ServeContent(w, r, "", time.Unix(1_700_000_000, 0), bytes.NewReader(blob.data))
	}
}

// part takes in a part, or begins, ends or gives up what they belong to: one at a
// time.
func (s *fakeS3) part(w http.ResponseWriter, r *http.Request, key string, body []byte) {
	q := r.URL.Query()
	switch {
	case q.Has("uploads"):
		s.parts = map[string][]byte{"type": []byte(r.Header.Get("Content-Type"))}
		_, _ = io.WriteString(w, "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>")
	case r.Method == http.MethodPut:
		s.parts[q.Get("partNumber")] = body
		w.Header().Set("ETag", `"`+q.Get("partNumber")+`"`)
	case r.Method == http.MethodDelete:
		s.parts = nil
		w.WriteHeader(http.StatusNoContent)
	default:
		blob := fakeBlob{mime: string(s.parts["type"])}
		for n := 1; s.parts[strconv.Itoa(n)] != nil; n++ {
			blob.data = append(blob.data, s.parts[strconv.Itoa(n)]...)
		}
		s.blobs[key], s.parts = blob, nil
		_, _ = io.WriteString(w, `<CompleteMultipartUploadResult><Bucket>pictures</Bucket><ETag>"1"</ETag></CompleteMultipartUploadResult>`)
	}
}

// list answers with the next two objects behind a prefix.
func (s *fakeS3) list(w http.ResponseWriter, q url.Values) {
	s.mu.Lock()
	defer s.mu.Unlock()
	type object struct{ Key string }
	answer := struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		NextContinuationToken string
		Contents              []object
	}{}
	for _, key := range slices.Sorted(maps.Keys(s.blobs)) {
		key = "kalends/" + key
		if !strings.HasPrefix(key, q.Get("prefix")) || key <= q.Get("continuation-token") {
			continue
		}
		if len(answer.Contents) == 2 {
			answer.IsTruncated, answer.NextContinuationToken = true, answer.Contents[1].Key
			break
		}
		answer.Contents = append(answer.Contents, object{key})
	}
	_ = xml.NewEncoder(w).Encode(answer)
}

// s3Body returns the body, taken out of the signed chunks a client sends
// where there is no TLS.
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
