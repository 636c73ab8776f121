package accounts

import "testing"

func TestCommonPasswords(t *testing.T) {
	t.Parallel()
	for _, password := range []string{"password1234", "Password2024!", "P@ssw0rd1234", "passwordpassword", "123456789012", "098765432109",
		"aaaaaaaaaaaa", "abababababab", "abcabcabcabc", "qwertyuiop123", "1q2w3e4r5t6y", "Welcome12345", "administrator1", "iloveyou1234",
		"letmeinletmein", "Summer2025!!", "adminadmin123", "abcdefghijkl", "11112222333344", "Passwort123!", "changeme1999"} {
		if !common(password) {
			t.Errorf("%q is taken", password)
		}
	}
	for _, password := range []string{"correct horse battery", "a new long password", "first long enough secret", "Tr0ub4dor&3xyz",
		"kS9vQ2mX7pLw", "open sesame, please", "пароль моей бабушки", "password of my aunt", "2024 was a fine year"} {
		if common(password) {
			t.Errorf("%q is refused", password)
		}
	}
}
