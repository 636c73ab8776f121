package changes

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"

	"github.com/kalends/kalends/internal/args"
)

// token is the position of a follower. Even with a forged token, a follower learns only of objects in its selections.
type token struct {
	Since  int64 // the version up to which the follower has all changes; negative: it has none
	Until  int64 // version at which the chain of responses ends; 0 outside a chain
	After  Mark  // the last change sent within the chain
	Within bool
	Print  uint64 // of the site, the reader, the types and the filter
	Spoken uint16 // number of the language of the objects; 0: no objects were requested
}

// layout is the first byte of tokens.
const layout = 1

// String returns the token in the form for addresses: A–Z, a–z, 0–9, "-" and "_".
func (t token) String() string {
	b := []byte{layout}
	b = binary.BigEndian.AppendUint64(b, t.Print)
	b = binary.BigEndian.AppendUint16(b, t.Spoken)
	b = binary.AppendVarint(b, t.Since)
	if t.Within {
		for _, n := range []int64{t.Until, t.After.Version, int64(t.After.Type), t.After.ID} {
			b = binary.AppendVarint(b, n)
		}
	}
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return base64.RawURLEncoding.EncodeToString(b)
}

// token returns the position of the follower. It returns a problem of the argument "since" for an invalid token,
// and ErrExpired for a token that is bound to another reader or filter.
func (f *Filter) token(sum uint64, language string) (token, error) {
	spoken := uint16(0)
	if f.Include.Given() {
		spoken = uint16(crc32.ChecksumIEEE([]byte(language))) | 1
	}
	text, given := f.Since.Get()
	if !given || text == "" {
		return token{Since: -1, Print: sum, Spoken: spoken}, nil
	}
	t, ok := readToken(text)
	switch {
	case !ok:
		return t, args.Invalid("since", "problem.changes.since", nil)
	case t.Print != sum, spoken != 0 && t.Spoken != 0 && t.Spoken != spoken:
		return t, ErrExpired
	}
	t.Spoken = spoken
	return t, nil
}

// readToken reads the result of String.
func readToken(text string) (t token, ok bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	const fixed = 1 + 8 + 2 // before the numbers
	const least = fixed + 1 + 4
	if err != nil || len(b) < least || b[0] != layout {
		return t, false
	}
	body, sum := b[:len(b)-4], binary.BigEndian.Uint32(b[len(b)-4:])
	if crc32.ChecksumIEEE(body) != sum {
		return t, false
	}
	t.Print, t.Spoken = binary.BigEndian.Uint64(body[1:]), binary.BigEndian.Uint16(body[9:])
	var numbers []int64
	for rest := body[fixed:]; len(rest) > 0; {
		n, size := binary.Varint(rest)
		if size <= 0 {
			return t, false
		}
		numbers, rest = append(numbers, n), rest[size:]
	}
	switch len(numbers) {
	case 1:
	case 5:
		t.Within, t.Until = true, numbers[1]
		t.After = Mark{numbers[2], int(numbers[3]), numbers[4]}
	default:
		return t, false
	}
	t.Since = numbers[0]
	return t, true
}
