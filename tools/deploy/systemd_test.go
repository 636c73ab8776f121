package deploy

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// unit is deploy/kalends.service: the values of each setting, by name.
func unit(t testing.TB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for line := range strings.Lines(string(read(t, "deploy/kalends.service"))) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
			all[name] = append(all[name], value)
		}
	}
	return all
}

// installed writes the unit with the program that was built, and returns its path.
func installed(t testing.TB) string {
	t.Helper()
	text := strings.Replace(string(read(t, "deploy/kalends.service")), "/usr/local/bin/kalends", kalends(t), 1)
	file := filepath.Join(t.TempDir(), "kalends.service")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSystemdUnit: systemd takes the unit without a word, and finds that it can do little harm.
func TestSystemdUnit(t *testing.T) {
	t.Parallel()
	analyze := program(t, "systemd-analyze", "deploy/kalends.service")
	file := installed(t)
	if said, err := exec.Command(analyze, "verify", "--man=no", "--recursive-errors=no", file).CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("verify: %v\n%s", err, said)
	}
	const most = "15" // of 100 for a unit that may do everything
	if said, err := exec.Command(analyze, "security", "--no-pager", "--offline=true", "--threshold="+most, file).CombinedOutput(); err != nil {
		t.Errorf("security: %v\n%s", err, said)
	}
}

// nobody is who the unit's program runs as here; DynamicUser chooses another.
const nobody = 65534

// TestSystemdRuns starts what the unit starts, with the environment, the rights and the umask it gives, as a user who owns
// nothing but the state directory, stops it as systemd does, and looks whether the system calls it made are those the
// unit allows.
func TestSystemdRuns(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can become somebody else; run as root to have the unit's program started")
	}
	setpriv, strace := program(t, "setpriv", "deploy/kalends.service"), program(t, "strace", "its system calls")
	u, state := unit(t), stateDirectory(t)
	port := freePort(t)
	calls := filepath.Join(filepath.Dir(state), "calls")
	start := strings.Fields(u["ExecStart"][0])
	start[0] = filepath.Join(filepath.Dir(state), "kalends")
	copyFile(t, kalends(t), start[0])
	arguments := []string{"--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all",
		"sh", "-c", `umask ` + u["UMask"][0] + `; ulimit -n ` + u["LimitNOFILE"][0] + `; exec "$@"`, "sh",
		strace, "-f", "--seccomp-bpf", "-qq", "-o", calls, "-e", "signal=none"}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, setpriv, append(arguments, start...)...)
	c.Dir = "/"
	c.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "KALENDS_ADDR=127.0.0.1:" + port}
	for _, set := range u["Environment"] {
		c.Env = append(c.Env, strings.ReplaceAll(set, "/var/lib/kalends", state))
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said := &strings.Builder{}
	c.Stdout, c.Stderr = said, said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	answers(t, port, ended, said)
	if err := syscall.Kill(-c.Process.Pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("stopped: %v\n%s", err, said)
	}
	allowed(t, u, calls)
	if files, err := os.ReadDir(state); err != nil || len(files) == 0 {
		t.Errorf("nothing is in the state directory: %v", err)
	}
}

// stateDirectory returns a folder that belongs to nobody, in one that everybody may enter.
func stateDirectory(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "kalends-unit-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	state := filepath.Join(dir, "state")
	for _, err := range []error{os.Chmod(dir, 0o755), os.Chown(dir, nobody, nobody), os.Mkdir(state, 0o750), os.Chown(state, nobody, nobody)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return state
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}

// answers waits until /readyz does.
func answers(t testing.TB, port string, ended <-chan error, said fmt.Stringer) {
	t.Helper()
	for tick := time.NewTicker(200 * time.Millisecond); ; <-tick.C {
		select {
		case err := <-ended:
			t.Fatalf("ended: %v\n%s", err, said)
		default:
		}
		res, err := http.Get("http://127.0.0.1:" + port + "/readyz")
		if err != nil {
			continue
		}
		_ = res.Body.Close()
		if res.StatusCode == http.StatusOK {
			return
		}
	}
}

var call = regexp.MustCompile(`^\d+ +([a-z0-9_]+)\(.* = (-?\d+|\?)`)

// beyond are the arguments of system calls that the unit refuses: memory that is written and run, networks other than IP and
// those on the machine, and namespaces.
var beyond = regexp.MustCompile(`PROT_WRITE\|PROT_EXEC|SHM_EXEC|socket\(AF_(?:[^IU]|IP|U[^N])|CLONE_NEW`)

// allowed fails the test for each system call that worked and that the unit's filter would refuse.
func allowed(t testing.TB, u map[string][]string, calls string) {
	t.Helper()
	analyze := program(t, "systemd-analyze", "the filter of system calls")
	may := map[string]bool{}
	for _, filter := range u["SystemCallFilter"] {
		group, without := strings.CutPrefix(filter, "~")
		for _, name := range members(t, analyze, group) {
			may[name] = !without
		}
	}
	f, err := os.Open(calls)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	seen := map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		m := call.FindStringSubmatch(lines.Text())
		if m == nil || m[2] == "-1" {
			continue
		}
		if seen[m[1]]++; beyond.MatchString(lines.Text()) {
			t.Errorf("the unit would refuse %s", lines.Text())
		}
	}
	var refused []string
	for name := range seen {
		if !may[name] {
			refused = append(refused, name)
		}
	}
	slices.Sort(refused)
	if len(refused) > 0 || len(seen) < 20 {
		t.Errorf("of %d system calls these would be refused: %v", len(seen), refused)
	}
}

// members returns the system calls of a group of systemd's, those of the groups in it too.
func members(t testing.TB, analyze, group string) (all []string) {
	t.Helper()
	text, err := exec.Command(analyze, "syscall-filter", "--no-pager", group).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		name := strings.TrimSpace(line)
		switch {
		case name == group || name == "" || strings.HasPrefix(name, "#"):
		case strings.HasPrefix(name, "@"):
			all = append(all, members(t, analyze, name)...)
		default:
			all = append(all, name)
		}
	}
	return all
}
