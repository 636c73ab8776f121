package child

import "syscall"

func bind(attr *syscall.SysProcAttr, onDeath syscall.Signal) {
	attr.Setpgid = true
	attr.Pdeathsig = onDeath
}
