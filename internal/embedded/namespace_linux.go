package embedded

import (
	"os"
	"syscall"
)

// namespaces says that a program can run as another user in a user namespace.
const namespaces = true

// pretend makes a program run as the user uid in its own user namespace, while the rest of the system sees it as
// our user.
func pretend(attr *syscall.SysProcAttr, uid, gid int) {
	attr.Cloneflags |= syscall.CLONE_NEWUSER
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: os.Geteuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: os.Getegid(), Size: 1}}
}
