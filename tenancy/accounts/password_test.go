package accounts

import (
	"strings"
	"testing"
)

func TestPassword(t *testing.T) {
	t.Parallel()
	hash := HashCost{}.Hash("correct horse")
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("hash %q", hash)
	}
	if !CheckPassword(hash, "correct horse") {
		t.Error("the right password is refused")
	}
	for _, wrong := range []string{"", "correct horsf", "correct horse "} {
		if CheckPassword(hash, wrong) {
			t.Errorf("%q is taken", wrong)
		}
	}
	if (HashCost{}).Hash("correct horse") == hash {
		t.Error("the same salt twice")
	}
}

// A hash of the reference program, so that the format is everybody's.
func TestPasswordOfElsewhere(t *testing.T) {
	t.Parallel()
	const hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if !CheckPassword(hash, "password") || CheckPassword(hash, "passwore") {
		t.Error("the reference hash isn't understood")
	}
}

func TestPasswordRefusesOtherHashes(t *testing.T) {
	t.Parallel()
	const salt, sum = "c29tZXNhbHQ", "CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	for _, hash := range []string{
		"", "$", "password", "$argon2id$v=19$m=65536,t=2,p=1$" + salt,
		"$argon2i$v=19$m=65536,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=16$m=65536,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=4294967295,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=65536,t=4000000000,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=65536,t=0,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=65536,t=2,p=0$" + salt + "$" + sum,
		"$argon2id$v=19$m=65536,t=2,p=1$" + salt + "$",
		"$argon2id$v=19$m=65536,t=2,p=1$!$" + sum,
		"$argon2id$v=19$m=-1,t=2,p=1$" + salt + "$" + sum,
	} {
		if CheckPassword(hash, "password") {
			t.Errorf("%q is taken", hash)
		}
	}
}
