//go:build unix

package embedded

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// flock tries to lock a file, and reports whether another process has the lock.
func flock(f *os.File) (taken bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}

// funlock gives a lock back. Closing the file is not enough: a process that starts in this moment has a copy of it until its program runs.
func funlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

// owner returns who owns a file.
func owner(info fs.FileInfo) (uid, gid int) {
	stat := info.Sys().(*syscall.Stat_t)
	return int(stat.Uid), int(stat.Gid)
}

// alive reports whether a process with this id exists.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

func kill(pid int, s syscall.Signal) error { return syscall.Kill(pid, s) }

// switchTo makes a program run as another user.
func switchTo(attr *syscall.SysProcAttr, uid, gid int) {
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}
