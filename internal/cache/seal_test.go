package cache

import (
	"bytes"
	"testing"
	"time"
)

func sealed() (sealer, Key, *Answer) {
	return newSealer([]byte("secret")), keyOf(3, 9, "http a en /x?y"), &Answer{ETag: `"9-x"`,
		Headers: []Header{{"Vary", "Accept-Encoding"}, {"Link", ""}}, Body: []byte(`{"events":[]}`), Until: time.Unix(2_000_000_000, 0)}
}

func TestSealOpens(t *testing.T) {
	t.Parallel()
	s, key, answer := sealed()
	for _, a := range []*Answer{answer, {}, {Body: body(100_000)}, {ETag: "x", Until: time.Unix(1, 0)}} {
		got, err := s.open(key, s.close(key, a))
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, a)
	}
}

// Only values sealed for the key with the secret can be opened.
func TestSealRefuses(t *testing.T) {
	t.Parallel()
	s, key, answer := sealed()
	b := s.close(key, answer)
	refuse := func(what string, s sealer, key Key, b []byte) {
		t.Helper()
		if a, err := s.open(key, b); err == nil {
			t.Errorf("%s opens: %+v", what, a)
		}
	}
	refuse("nothing", s, key, nil)
	refuse("a longer one", s, key, append(bytes.Clone(b), 0))
	refuse("another secret's", newSealer([]byte("other")), key, b)
	for _, other := range []Key{keyOf(4, 9, key.Rest), keyOf(3, 8, key.Rest), keyOf(3, 9, key.Rest+"z"), keyOf(3, 9, ""), {}} {
		refuse("another key's", s, other, b)
	}
	for i := range b {
		refuse("a short one", s, key, b[:i])
		bad := bytes.Clone(b)
		bad[i] ^= 1
		refuse("a changed one", s, key, bad)
	}
}

// The first bytes of an answer cannot pass for the end of a longer key.
func TestSealKnowsWhereKeysEnd(t *testing.T) {
	t.Parallel()
	s, key, answer := sealed()
	b := s.close(key, answer)
	for n := 1; n < len(b)-40; n++ {
		longer := key
		longer.Rest += string(b[32 : 32+n])
		forged := append(bytes.Clone(b[:32]), b[32+n:]...)
		if _, err := s.open(longer, forged); err == nil {
			t.Fatalf("opens with %d bytes moved into the key", n)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	s, key, _ := sealed()
	names := map[string]bool{}
	for _, k := range []Key{key, keyOf(4, 9, key.Rest), keyOf(3, 8, key.Rest), keyOf(3, 9, key.Rest+"z"), {}} {
		names[s.name(k)] = true
	}
	names[newSealer([]byte("other")).name(key)] = true
	if len(names) != 6 || !names[s.name(key)] {
		t.Errorf("names are the same: %v", names)
	}
}

func FuzzSeal(f *testing.F) {
	s, key, answer := sealed()
	right := s.close(key, answer)
	f.Add(right, key.Rest, int64(9))
	f.Add([]byte{}, "", int64(0))
	f.Add(bytes.Repeat([]byte{0xff}, 60), key.Rest, int64(9))
	f.Fuzz(func(t *testing.T, b []byte, rest string, version int64) {
		k := keyOf(3, version, rest)
		a, err := s.open(k, b)
		if err == nil && (k != key || !bytes.Equal(b, right)) {
			t.Errorf("%q opens under %+v: %+v", b, k, a)
		}
		name, left := field(b)
		if len(name)+len(left) > len(b) {
			t.Errorf("field makes %d of %d bytes", len(name)+len(left), len(b))
		}
		made := &Answer{ETag: rest, Headers: []Header{{rest, string(b)}}, Body: b}
		again, err := s.open(k, s.close(k, made))
		if err != nil {
			t.Fatal(err)
		}
		same(t, again, made)
	})
}
