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
	"strings"
	"sync"
	"time"
)

// fakeS3 is as much of S3 as a Store asks for: PUT, GET, HEAD and DELETE of
// objects in the bucket "pictures", addressed by path, and the list of them, two
// a page.
type fakeS3 struct {
	mu    sync.Mutex
	blobs map[string]fakeBlob
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
