package embedded

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	machine := map[string]string{"proc/meminfo": "MemTotal:       4194304 kB\nMemFree: 1 kB\n"}
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing told":   {nil, 0},
		"a machine":      {machine, 4 << 30},
		"a container":    {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n"}, 512 << 20},
		"no limit":       {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 4 << 30},
		"the host's way": {map[string]string{"proc/self/cgroup": "0::/pods/x\n", "sys/fs/cgroup/memory.max": "536870912\n"}, 512 << 20},
		"a service": {map[string]string{"proc/self/cgroup": "0::/system.slice/kalends.service\n",
			"sys/fs/cgroup/system.slice/kalends.service/memory.max": "max\n", "sys/fs/cgroup/system.slice/memory.max": "268435456\n"}, 256 << 20},
		"the old way": {map[string]string{"proc/self/cgroup": "4:cpu:/x\n3:memory:/docker/1\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "1073741824\n"}, 1 << 30},
	} {
		root := t.TempDir()
		if c.files != nil {
			put(t, root, machine)
		}
		put(t, root, c.files)
		if got := memoryBelow(root); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}

func put(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
