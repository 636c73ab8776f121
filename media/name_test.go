package media

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFileName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ original, ext, want string }{
		{"Photo 1.JPG", "jpg", "photo-1.jpg"},
		{"../../etc/passwd", "png", "passwd.png"},
		{`C:\Users\Eva\Été à la mer.jpeg`, "jpg", "été-à-la-mer.jpg"},
		{"e\u0301te\u0301.png", "png", "été.png"},
		{"shell.php.png", "png", "shell-php.png"},
		{"夏祭り.webp", "webp", "夏祭り.webp"},
		{".htaccess", "png", "htaccess.png"},
		{"a\x00b<c>|?*\"\n.gif", "gif", "a-b-c.gif"},
		{"--__--.gif", "gif", "image.gif"},
		{"", "png", "image.png"}, {"/", "png", "image.png"}, {"a/", "png", "image.png"},
		{"x", "../p/h.p", "x.php"}, {"x", "", "x"},
		{"bad\xffutf8.png", "png", "bad-utf8.png"},
		{"evil\u202egnp.exe", "png", "evil-gnp.png"},
	} {
		if got := FileName(c.original, c.ext); got != c.want {
			t.Errorf("%q: %q, want %q", c.original, got, c.want)
		}
	}
}

func TestFileNameOfSize(t *testing.T) {
	t.Parallel()
	s := Size{MIME: mimePNG, Width: 300, Height: 200}
	if got := s.FileName("photo.webp"); got != "photo-300x200.png" {
		t.Errorf("got %q", got)
	}
}

func FuzzFileName(f *testing.F) {
	f.Add("a/b", "jpg")
	f.Add(strings.Repeat("ü", 200), "png")
	f.Fuzz(func(t *testing.T, original, ext string) {
		name := FileName(original, ext)
		if !utf8.ValidString(name) || checkKey("site/1/"+name) != nil {
			t.Errorf("%q", name)
		}
	})
}
