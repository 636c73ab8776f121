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
	const hash = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
	if !CheckPassword(hash, "password") || CheckPassword(hash, "passwore") {
		t.Error("the reference hash isn't understood")
	}
}

// A stored hash does not set the price of checking it: what costs more than the hashes in service is nobody's password, and takes
// no longer than a text that is no hash.
func TestPasswordAtMostAsDearAsInService(t *testing.T) {
	t.Parallel()
	for _, cost := range []HashCost{{262144, 10, 1}, {19 * 1024, 3, 1}, {19*1024 + 1, 2, 1}, {8, 1, 2}, {65536, 2, 1}} {
		hash := cost.Hash("correct horse")
		if CheckPassword(hash, "correct horse") || MayServe(hash) {
			t.Errorf("%+v is taken", cost)
		}
	}
	for _, hash := range []string{"", HashCost{}.Hash("correct horse"), HashCost{Memory: 8, Time: 1, Threads: 1}.Hash("correct horse")} {
		if !MayServe(hash) {
			t.Errorf("%q is refused", hash)
		}
	}
}

func TestPasswordRefusesOtherHashes(t *testing.T) {
	t.Parallel()
	const salt, sum = "c29tZXNhbHQ", "CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	for _, hash := range []string{
		"", "$", "password", "$argon2id$v=19$m=256,t=2,p=1$" + salt,
		"$argon2i$v=19$m=256,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=16$m=256,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=4294967295,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=65536,t=4000000000,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=65536,t=0,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=65536,t=2,p=0$" + salt + "$" + sum,
		"$argon2id$v=19$m=256,t=2,p=1$" + salt + "$",
		"$argon2id$v=19$m=256,t=2,p=1$!$" + sum,
		"$argon2id$v=19$m=-1,t=2,p=1$" + salt + "$" + sum,
	} {
		if CheckPassword(hash, "password") {
			t.Errorf("%q is taken", hash)
		}
	}
}
