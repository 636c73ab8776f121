package accounts

import (
	"bytes"
	"slices"
	"strings"
)

// commonWords are the words that most passwords consist of. If one word begins with another, the longer one comes
// first. Attackers try these words first, with digits and symbols around them and in place of letters.
var commonWords = strings.Fields(`
	administrator passwords password passwort kennwort contrasena motdepasse contraseña azertyuiop azerty qwertyuiop qwertzuiop
	qwerty qwertz asdfghjkl asdfgh zxcvbnm zxcvbn yxcvbnm 1qaz2wsx3edc 1q2w3e4r5t6y 1q2w3e4r5t 1q2w3e4r 1qaz2wsx qazwsx
	iloveyou welcome willkommen bienvenue bienvenido letmein changeme default secret geheim sunshine princess football baseball
	basketball superman batman starwars pokemon dragon monkey master shadow michael jennifer jessica charlie jordan thomas
	computer internet samsung google facebook hallo hello admin root login test guest user access kalends calendar kalender
	summer winter spring autumn sommer herbst frühling january february monday friday whatever trustno1 freedom liverpool arsenal
	chelsea barcelona realmadrid mustang ferrari mercedes cheese chocolate flower butterfly purple orange blink182 iloveu
	mynameis loveme schatz schalke bayern hamburg berlin alexander daniel andrew joshua matthew ashley nicole
	killer hunter ranger soccer hockey tigger buster pepper ginger cookie summer maggie`)

// sequences are runs of characters that people type: digits, the alphabet and rows of the keyboard.
var sequences = []string{"01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm"}

// figures replaces digits and symbols with the letters that they stand for.
var figures = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

// leastOwn is how many different characters a password must have outside common words, runs and years.
const leastOwn = 4

// common reports whether a password consists almost entirely of common words, keyboard runs, years and repetitions.
func common(password string) bool {
	text := []byte(strings.ToLower(password))
	read := []byte(figures.Replace(string(text))) // byte for byte
	for _, word := range commonWords {
		for _, in := range [][]byte{text, read} {
			for at := bytes.Index(in, []byte(word)); at >= 0; at = bytes.Index(in, []byte(word)) {
				for n := range len(word) {
					text[at+n], read[at+n] = ' ', ' '
				}
			}
		}
	}
	return own(slices.Compact([]rune(string(text)))) < leastOwn
}

// own returns the number of different characters in a text outside runs and years.
func own(text []rune) int {
	seen := map[rune]bool{}
	for len(text) > 0 {
		run := max(1, runOf(text), yearOf(text))
		if run == 1 && text[0] != ' ' {
			seen[text[0]] = true
		}
		text = text[run:]
	}
	return len(seen)
}

// runOf returns how many characters at the start of a text follow each other in a sequence, forwards or backwards. It returns
// 0 for fewer than three.
func runOf(text []rune) (most int) {
	for _, sequence := range sequences {
		for _, line := range []string{sequence, backwards(sequence)} {
			n := 0
			for n < len(text) && n < len(line) && strings.Contains(line, string(text[:n+1])) {
				n++
			}
			most = max(most, n)
		}
	}
	if most < 3 {
		return 0
	}
	return most
}

func backwards(text string) string {
	turned := []rune(text)
	slices.Reverse(turned)
	return string(turned)
}

// yearOf returns 4 for a text that begins with a year from 1900 to 2099, otherwise 0.
func yearOf(text []rune) int {
	digit := func(r rune) bool { return '0' <= r && r <= '9' }
	if len(text) < 4 || string(text[:2]) != "19" && string(text[:2]) != "20" || !digit(text[2]) || !digit(text[3]) {
		return 0
	}
	return 4
}
