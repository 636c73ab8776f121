//go:build !unix

package embedded

import (
	"io/fs"
	"os"
	"syscall"
)

func flock(*os.File) (bool, error) { return false, ErrUnsupported }
func funlock(*os.File)             {}

func owner(fs.FileInfo) (uid, gid int) { return -1, -1 }

func alive(int) bool { return false }

func kill(int, syscall.Signal) error { return ErrUnsupported }

func switchTo(*syscall.SysProcAttr, int, int) {}
