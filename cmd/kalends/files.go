package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// openInput opens a file that an argument of the command line names.
func openInput(arg, path string) (*os.File, error) {
	file, err := os.Open(path) //nolint:gosec // the operator says which
	if err != nil {
		return nil, invalid(fmt.Errorf("%s: %w", arg, err))
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, invalid(errors.Join(fmt.Errorf("%s: %s is a folder", arg, path), file.Close()))
	}
	return file, nil
}

// readInput returns the content of a file that an argument of the command line names.
func readInput(arg, path string) ([]byte, error) {
	file, err := openInput(arg, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// checkOutput checks, before anything is written, that a file with the name in an argument can be created. Standard
// output is "-".
func checkOutput(arg, path string) error {
	if path == "-" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return invalid(fmt.Errorf("%s: %s is a folder", arg, path))
	}
	return checkFolder(arg, filepath.Dir(path))
}

// checkFolder checks that a folder with this name exists.
func checkFolder(arg, path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return invalid(fmt.Errorf("%s: %w", arg, err))
	case !info.IsDir():
		return invalid(fmt.Errorf("%s: %s is not a folder", arg, path))
	}
	return nil
}
