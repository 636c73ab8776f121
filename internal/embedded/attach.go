package embedded

import "fmt"

// Attach returns the URL, as Server.URL does, of the Postgres that another kalends runs on the data directory. Use it
// after Start has returned ErrInUse; the database ends when that kalends does. It returns ErrInUse when no Postgres
// has noted its socket there, and ErrDamaged when the passwords are missing.
func Attach(dir string) (string, error) {
	c, err := Config{Dir: dir}.withDefaults()
	if err != nil {
		return "", err
	}
	s := &Server{}
	if s.passwords, err = loadPasswords(c.path("passwords.json"), false); err != nil {
		return "", fmt.Errorf("embedded Postgres: %w", explain(c.Dir, err))
	}
	_, s.socket, err = readPidFile(c.pgdata())
	switch {
	case err != nil:
		return "", fmt.Errorf("embedded Postgres: %w", explain(c.Dir, err))
	case s.socket == "":
		return "", fmt.Errorf("embedded Postgres: %w, but it cannot be reached yet", ErrInUse)
	}
	return s.URL(), nil
}
