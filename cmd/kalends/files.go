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

// writeFile creates or replaces a file once all of it has been written.
func writeFile(name string, write func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(name), ".kalends-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if err = write(file); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}
