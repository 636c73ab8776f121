package platform

import (
	"bytes"
	"testing"

	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/test/kit"
)

// TestProgress follows an export and an import of a site with everything in it:
// the total is known from the first step on, and is what it came to.
func TestProgress(t *testing.T) {
	t.Parallel()
	v := kit.NewVault(t)
	fill(v, "demo")
	var steps []int64
	total := int64(0)
	follow := func(done, of int64) {
		if n := len(steps); of <= 0 || n > 0 && (done < steps[n-1] || of != total) || done > of {
			t.Errorf("%d of %d after %v of %d", done, of, steps, total)
		}
		steps, total = append(steps, done), of
	}
	var b bytes.Buffer
	made, err := v.Archives.Export(v.Ctx, "demo", &b, follow)
	v.Must(err)
	if n := len(steps); n != len(made.Members) || steps[n-1] != total || total != made.Bytes() {
		t.Errorf("%d of %d bytes in %d steps; the archive has %d in %d", steps[n-1], total, n, made.Bytes(), len(made.Members))
	}
	_, err = v.Platform.Sites.Delete(v.Ctx, "demo", kit.AtOnce())
	v.Must(err)
	steps = nil
	_, err = v.Archives.Import(v.Ctx, bytes.NewReader(b.Bytes()), int64(b.Len()), &platform.SiteFields{}, archive.Progress(func(done, of int64) {
		if len(steps) == 0 {
			total = of
		}
		follow(done, of)
	}))
	v.Must(err)
	if n := len(steps); n == 0 || steps[n-1] != 2*made.Bytes() || total != 2*made.Bytes() {
		t.Errorf("imported %v of %d", steps, total)
	}
}
