package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// root is the top of the repository.
const root = "../.."

// read returns a file of the repository.
func read(t testing.TB, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// program returns a program of this machine; without it the test is skipped.
func program(t testing.TB, name, why string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s on this machine; install it to have %s tried", name, why)
	}
	return path
}

// kalends returns the program that make test-deploy has built.
func kalends(t testing.TB) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, "bin", "kalends"))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("%v: run make test-deploy, which builds it", err)
	}
	return path
}
