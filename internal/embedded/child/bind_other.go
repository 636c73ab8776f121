//go:build !unix

package child

import "syscall"

func bind(*syscall.SysProcAttr, syscall.Signal) {}
