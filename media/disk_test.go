package media

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDiskLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	disk := must[*Disk](t)(NewDisk(filepath.Join(dir, "new", "media")))
	defer disk.Close()
	put(t, disk, testKey, "x")
	if err := disk.Put(context.Background(), testKey, strings.NewReader("short"), 99, mimePNG); err == nil {
		t.Error("a short blob was taken")
	}
	if err := disk.Delete(context.Background(), testKey); err != nil {
		t.Error(err)
	}
	var left []string
	_ = fs.WalkDir(disk.root.FS(), ".", func(path string, _ fs.DirEntry, _ error) error {
		left = append(left, path)
		return nil
	})
	if got := strings.Join(left, " "); got != ". berlin" {
		t.Errorf("left: %s", got)
	}
}

func TestDiskFollowsNoLinkOut(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	disk := must[*Disk](t)(NewDisk(dir))
	defer disk.Close()
	if err := os.WriteFile(filepath.Join(outside, "x.png"), []byte("private"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "berlin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "berlin", "1")); err != nil {
		t.Skip("no symbolic links here")
	}
	if _, _, err := disk.Get(context.Background(), "berlin/1/x.png"); err == nil {
		t.Error("read outside of the directory")
	}
	if err := disk.Put(context.Background(), "berlin/1/y.png", strings.NewReader(""), 0, ""); err == nil {
		t.Error("wrote outside of the directory")
	}
	_ = disk.Delete(context.Background(), "berlin/1/x.png")
	if _, err := os.Stat(filepath.Join(outside, "x.png")); err != nil {
		t.Error("deleted outside of the directory")
	}
}

func TestDiskNeedsADirectory(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewDisk(file); err == nil {
		t.Error("a file was taken for a directory")
	}
}

func TestDirectoryIsNoBlob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	disk := must[*Disk](t)(NewDisk(dir))
	defer disk.Close()
	if err := os.MkdirAll(filepath.Join(dir, "berlin", "1", "x.png"), 0o700); err != nil {
		t.Fatal(err)
	}
	wantNone(t, disk, "berlin/1/x.png")
}

func TestS3NeedsEndpointAndBucket(t *testing.T) {
	t.Parallel()
	for _, c := range []S3Config{{}, {Bucket: "b"}, {Endpoint: "s3.example.org"}, {Endpoint: "http://x/y", Bucket: "b"}} {
		if _, err := NewS3(c); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}
