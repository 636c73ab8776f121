package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

// fetched is a response with its body as sent.
type fetched struct {
	status int
	header http.Header
	body   []byte
}

// fetch sends one request without the load programs.
func fetch(ctx context.Context, p *process, r request) (fetched, error) {
	q, err := http.NewRequestWithContext(ctx, r.verb(), "http://"+p.addr+r.path, bytes.NewReader([]byte(r.body)))
	if err != nil {
		return fetched{}, err
	}
	q.Host = r.host
	q.Header = r.header.Clone()
	if q.Header == nil {
		q.Header = http.Header{}
	}
	client := http.Client{Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}
	a, err := client.Do(q)
	if err != nil {
		return fetched{}, err
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		return fetched{}, err
	}
	want := r.status
	if want == 0 {
		want = http.StatusOK
	}
	if a.StatusCode != want {
		return fetched{}, fmt.Errorf("%s: %s%s: status %d: %.500s", p.name, r.host, r.path, a.StatusCode, body)
	}
	return fetched{a.StatusCode, a.Header, body}, nil
}

// capture stores the responses that the raw peers repeat, and returns the list.
func (b *bench) capture(ctx context.Context) ([]byte, error) {
	s := b.main.bySlug["small"]
	list, err := fetch(ctx, b.hot, listOf(s, 1))
	if err != nil {
		return nil, err
	}
	packed, err := fetch(ctx, b.hot, packedList(s))
	if err != nil {
		return nil, err
	}
	single, err := fetch(ctx, b.hot, eventOf(s, 7))
	if err != nil {
		return nil, err
	}
	b.tag = list.header.Get("ETag")
	files := map[string][]byte{listFile: list.body, packedFile: packed.body, singleFile: single.body, tagFile: []byte(b.tag)}
	for name, body := range files {
		if err := os.WriteFile(filepath.Join(b.dir, name), body, 0o600); err != nil {
			return nil, err
		}
	}
	return list.body, nil
}

// check verifies, before measuring, that every peer responds like Kalends.
func (b *bench) check(ctx context.Context) error {
	small, large, many := b.main.bySlug["small"], b.main.bySlug["large"], b.many()[0]
	same := []struct {
		a, b  *process
		r, as request
	}{
		{b.hot, b.rawPeer, listOf(small, 1), request{path: "/list"}},
		{b.hot, b.rawPeer, packedList(small), request{path: "/packed"}},
		{b.hot, b.rawPeer, eventOf(small, 7), request{path: "/single"}},
	}
	for _, r := range []request{listOf(small, 1), listOf(small, 2), listOf(large, 20), listOf(many, 3), found(large, 4), unasked(b.main, small, 7),
		eventOf(large, 77), eventOf(many, 3)} {
		same = append(same, struct {
			a, b  *process
			r, as request
		}{b.cold, b.plainPeer, r, r})
	}
	for _, r := range []request{listOf(small, 1), listOf(large, 20), unasked(b.main, small, 8)} {
		same = append(same, struct {
			a, b  *process
			r, as request
		}{b.hot, b.memoryPeer, r, r})
	}
	if b.redisPeer != nil {
		same = append(same, same[0])
		same[len(same)-1].b = b.redisPeer
	}
	for _, s := range same {
		ours, err := fetch(ctx, s.a, s.r)
		if err != nil {
			return err
		}
		theirs, err := fetch(ctx, s.b, s.as)
		if err != nil {
			return err
		}
		if !bytes.Equal(ours.body, theirs.body) {
			return differ(s.a.name, s.b.name, s.r, ours.body, theirs.body)
		}
		var list struct {
			Events []struct {
				ID int64 `json:"id"`
			} `json:"events"`
		}
		if json.Unmarshal(ours.body, &list) == nil && len(list.Events) > 0 {
			b.listBytes = len(ours.body)
		}
	}
	b.say("the peers answer with the same bytes")
	return nil
}

// differ describes where two responses differ.
func differ(a, b string, r request, ours, theirs []byte) error {
	at := 0
	for at < min(len(ours), len(theirs)) && ours[at] == theirs[at] {
		at++
	}
	from := max(0, at-80)
	return fmt.Errorf("%s and %s answer %s%s differently at byte %d of %d and %d:\n%.200s\n%.200s", a, b, r.host, r.path, at,
		len(ours), len(theirs), ours[from:], theirs[from:])
}
