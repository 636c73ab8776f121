package storagetest

import (
	"os"
	"testing"
)

func TestTemporaryFilesAreInMemory(t *testing.T) {
	want := map[bool]string{true: memory, false: ""}[hasRoom(memory)]
	for _, set := range []string{"", "/elsewhere"} {
		t.Setenv(tempName, set)
		if err := inMemory(); err != nil {
			t.Fatal(err)
		}
		if set != "" {
			want = set
		}
		if got := os.Getenv(tempName); got != want {
			t.Errorf("TMPDIR=%q becomes %q, want %q", set, got, want)
		}
	}
	if hasRoom("/sys") {
		t.Error("there is room where nothing can be written")
	}
}
