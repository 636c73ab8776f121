package media

import (
	"bytes"
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFullDisk fills a disk completely. Existing files stay unchanged on every site, nothing is written partially,
// and writing works again once there is space. It needs permission to mount a small disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("no small disk to fill: %v; run it as root", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	disk := must[*Disk](t)(NewDisk(dir))
	t.Cleanup(func() { _ = disk.Close() })
	put(t, disk, "1/a/x.png", "first")
	put(t, disk, "2/a/x.png", "of another site")
	large := bytes.Repeat([]byte("x"), 1<<20)
	for _, key := range []string{"1/a/x.png", "1/b/y.png"} {
		if err := disk.Put(t.Context(), key, bytes.NewReader(large), int64(len(large)), mimePNG); !errors.Is(err, unix.ENOSPC) {
			t.Errorf("%s on a full disk: %v", key, err)
		}
	}
	for key, want := range map[string]string{"1/a/x.png": "first", "2/a/x.png": "of another site"} {
		if got, _ := get(t, disk, key); got != want {
			t.Errorf("%s is %q", key, got)
		}
	}
	wantNone(t, disk, "1/b/y.png")
	half := bytes.Repeat([]byte("y"), 128<<10) // fits only when nothing was left behind
	if err := disk.Put(t.Context(), "1/b/y.png", bytes.NewReader(half), int64(len(half)), mimePNG); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
