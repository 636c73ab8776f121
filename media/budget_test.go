package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
)

const pod = 512 << 20 // what a container often may use

func ofSite(t *testing.T, id int64) context.Context {
	return tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: id}, Principal: tenancy.Principal{UserID: 7, Role: tenancy.Author}})
}

func strangers(t *testing.T, id int64) context.Context {
	return tenancy.With(t.Context(), tenancy.Scope{Site: &tenancy.Site{ID: id}})
}

// An image that needs more than the share of its site is decoded while its site decodes nothing else; strangers have their part together,
// on all sites, and keep nobody waiting.
func TestBudgetOfOneAndOfStrangers(t *testing.T) {
	t.Parallel()
	b := NewBudget(400)
	b.least = 1
	first := b.stand(1, 20, time.Time{})
	large := b.stand(1, 150, time.Time{})
	if isGranted(large) {
		t.Error("a large picture is decoded beside another of its site")
	}
	b.release(1, first)
	if !isGranted(large) {
		t.Error("a large picture waits for nobody")
	}
	sent := []*claim{b.stand(anonymous, 50, time.Time{}), b.stand(anonymous, 50, time.Time{})}
	if !isGranted(sent[0]) || isGranted(sent[1]) {
		t.Errorf("strangers have more than their share: %v", b.free)
	}
	b.release(1, large)
	if isGranted(sent[1]) {
		t.Error("strangers have what is free beside their share")
	}
	if editor := b.stand(1, 100, time.Time{}); !isGranted(editor) {
		t.Error("an editor waits for strangers")
	}
	if got := []int64{queueOf(strangers(t, 1)), queueOf(strangers(t, 2)), queueOf(ofSite(t, 2))}; got[0] != anonymous || got[1] != anonymous || got[2] != 2 {
		t.Errorf("queues: %v", got)
	}
}

// waits reports whether somebody is queued for the site.
func (b *Budget) waits(site int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.sites[site]
	return s != nil && len(s.wait) > 0
}

func isGranted(c *claim) bool {
	select {
	case <-c.settled:
		return true
	default:
		return false
	}
}

func TestBudgetIsShared(t *testing.T) {
	t.Parallel()
	b := NewBudget(400)
	b.least = 1
	if b.all != 200 || b.share != 100 {
		t.Fatalf("of 400: %d, a site %d", b.all, b.share)
	}
	if _, err := b.take(ofSite(t, 1), 201); !errors.Is(err, ErrTooManyPixels) {
		t.Errorf("more than there is: %v", err)
	}
	if _, err := b.take(strangers(t, 1), 84); !errors.Is(err, ErrTooManyPixels) {
		t.Errorf("more than strangers have: %v", err)
	}
	noisy := []*claim{b.stand(1, 60, time.Time{}), b.stand(1, 60, time.Time{}), b.stand(1, 60, time.Time{})}
	if !isGranted(noisy[0]) || isGranted(noisy[1]) {
		t.Error("a site has more than its half")
	}
	quiet := b.stand(2, 90, time.Time{})
	if !isGranted(quiet) {
		t.Error("another site waits for one that has its half")
	}
	third := b.stand(3, 60, time.Time{})
	if isGranted(third) {
		t.Error("more is given than there is")
	}
	b.release(1, noisy[0])
	if !isGranted(noisy[1]) || isGranted(third) {
		t.Error("who stood in line first is not the next")
	}
	b.release(1, noisy[1])
	if !isGranted(third) || isGranted(noisy[2]) {
		t.Error("the sites don't take turns")
	}
	b.release(2, quiet)
	if !isGranted(noisy[2]) {
		t.Error("a site doesn't get what is free")
	}
	b.release(3, third)
	b.release(1, noisy[2])
	if b.free != b.all || len(b.sites) != 0 || len(b.turns) != 0 {
		t.Errorf("%d of %d are free; sites %v, turns %v", b.free, b.all, b.sites, b.turns)
	}
}

// TestBudgetIsNotOvertaken queues small images of two sites behind a large one that waits for memory.
func TestBudgetIsNotOvertaken(t *testing.T) {
	t.Parallel()
	b := NewBudget(400)
	b.least = 1
	first := b.stand(1, 80, time.Time{})
	b.stand(2, 80, time.Time{})
	large, small := b.stand(3, 100, time.Time{}), b.stand(4, 10, time.Time{})
	if isGranted(large) || isGranted(small) {
		t.Error("a small picture overtakes a large one")
	}
	b.release(1, first)
	if !isGranted(large) || !isGranted(small) {
		t.Error("they still wait")
	}
}

// TestBudgetSaysItIsBusy: six images of a site come at once, and each takes five of the twenty seconds of their requests.
// What can't be finished in time is refused as soon as the pace is known, with the time to wait, and later at once.
func TestBudgetSaysItIsBusy(t *testing.T) {
	t.Parallel()
	now := time.Unix(1e9, 0)
	b := NewBudget(400)
	b.least, b.now = 100, func() time.Time { return now }
	var six []*claim
	for range 6 {
		six = append(six, b.stand(1, 80, now.Add(20*time.Second)))
	}
	now = now.Add(5 * time.Second)
	b.give(1, six[0])
	for i, c := range six {
		if granted, refused := i < 2, i > 3; isGranted(c) != (granted || refused) || (c.busy > 0) != refused {
			t.Errorf("%d: settled %v, busy for %v", i, isGranted(c), c.busy)
		}
	}
	if six[5].busy != 15*time.Second {
		t.Errorf("again in %v", six[5].busy)
	}
	if late := b.stand(1, 80, now.Add(14*time.Second)); late.busy != 15*time.Second {
		t.Errorf("one that comes now: busy for %v", late.busy)
	}
	if small := b.stand(1, 1, now.Add(20*time.Second)); small.busy != 0 {
		t.Error("a small one is refused")
	}
	if job := b.stand(1, 80, time.Time{}); job.busy != 0 {
		t.Error("one that has time is refused")
	}
	ctx, cancel := context.WithDeadline(ofSite(t, 1), time.Now().Add(time.Hour))
	defer cancel()
	now = time.Now().Add(time.Hour)
	if _, err := b.take(ctx, 80); !strings.Contains(fmt.Sprint(err), "too many images") {
		t.Errorf("refused with %v", err)
	}
}

func TestBudgetIsLeft(t *testing.T) {
	t.Parallel()
	b := NewBudget(400)
	give, err := b.take(ofSite(t, 1), 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(ofSite(t, 1))
	left := make(chan error)
	go func() {
		_, err := b.take(ctx, b.share)
		left <- err
	}()
	for !b.waits(1) { //nolint:revive // until it stands in line
	}
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("left with %v", err)
	}
	give()
	if b.free != b.all || len(b.sites) != 0 || len(b.turns) != 0 {
		t.Errorf("%d of %d are free; sites %v, turns %v", b.free, b.all, b.sites, b.turns)
	}
}

// progressiveJPEG returns a uniform image with a number of components.
func progressiveJPEG(side, components int) []byte {
	out := []byte{0xff, markerSOI}
	out = appendSegment(out, markerAPPE, []byte(adobeTag+"\x00\x64\x00\x00\x00\x00\x00"))
	out = appendSegment(out, 0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...))
	frame := binary.BigEndian.AppendUint16([]byte{8}, uint16(side))
	frame = append(binary.BigEndian.AppendUint16(frame, uint16(side)), byte(components))
	scan := []byte{byte(components)}
	for i := range components {
		frame = append(frame, byte(i+1), 0x11, 0)
		scan = append(scan, byte(i+1), 0)
	}
	out = appendSegment(out, markerSOF2, frame)
	table := make([]byte, 17, 18)
	table[1] = 1
	out = appendSegment(out, 0xc4, append(table, 0))
	out = appendSegment(out, markerSOS, append(scan, 0, 0, 0))
	blocks := (side + 7) / 8
	out = append(out, make([]byte, (blocks*blocks*components+7)/8)...)
	return append(out, 0xff, markerEOI)
}

func flatPNG(t *testing.T, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// deepPNG returns only the header of an image with 16 bits per sample.
func deepPNG(side uint32) []byte {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, side), side)
	out := appendChunk([]byte(pngSignature), "IHDR", append(header, 16, 6, 0, 0, 0))
	return appendChunk(appendChunk(out, "IDAT", nil), "IEND", nil)
}

func TestBombsWeighTooMuch(t *testing.T) {
	t.Parallel()
	for name, file := range map[string][]byte{
		"progressive jpeg": progressiveJPEG(7000, 4), "deep png": deepPNG(7000),
	} {
		limit := Limits{Budget: NewBudget(pod)}
		if _, err := Decode(ofSite(t, 1), bytes.NewReader(file), limit); !errors.Is(err, ErrTooManyPixels) {
			t.Errorf("%s of %d bytes: %v", name, len(file), err)
		}
	}
}
