package embedded

import (
	"os"
	"syscall"
)

// namespaces says that a program can see itself as another user without being one.
const namespaces = true

// pretend makes a program see itself as the user uid, while for the rest of the system it stays who we are.
func pretend(attr *syscall.SysProcAttr, uid, gid int) {
	attr.Cloneflags |= syscall.CLONE_NEWUSER
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: os.Geteuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: os.Getegid(), Size: 1}}
}
