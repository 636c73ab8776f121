//go:build unix && !linux

package child

import "syscall"

func bind(attr *syscall.SysProcAttr, _ syscall.Signal) { attr.Setpgid = true }
