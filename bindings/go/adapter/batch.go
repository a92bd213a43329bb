package main

import (
	"slices"

	hurray "github.com/hurray-format/hurray-go"
)

// batch tries many inputs, and gives the status of the first call on each that failed.
func batch(asked *request) (answer, error) {
	try, ok := map[string]func([]byte, map[string]uint64) error{
		"decode":      tryDecode,
		"read_file":   tryFile,
		"read_stream": tryStream,
	}[asked.What]
	if !ok {
		return nil, fault("no batch of " + asked.What)
	}
	statuses := []int32{}
	for input := range inputsOf(asked) {
		status, err := statusOf(try(input, asked.Options))
		if err != nil {
			return nil, err
		}
		statuses = append(statuses, status)
	}
	return answer{"statuses": statuses}, nil
}

// inputsOf are the listed inputs, or the cuts of one and then its flips.
func inputsOf(asked *request) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for _, input := range asked.Inputs {
			if !yield(input) {
				return
			}
		}
		for _, cut := range asked.Cuts {
			if !yield(asked.Base[:cut]) {
				return
			}
		}
		for _, flip := range asked.Flips {
			input := slices.Clone(asked.Base)
			input[flip>>3] ^= 1 << (flip & 7)
			if !yield(input) {
				return
			}
		}
	}
}

func tryDecode(input []byte, asked map[string]uint64) error {
	options, err := optionsOf(asked)
	if err != nil {
		return err
	}
	d, err := hurray.DecodeDescriptor(input, options...)
	if err != nil {
		return err
	}
	return d.Close()
}

func tryFile(input []byte, asked map[string]uint64) error {
	file, err := open("", input, asked)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = contentsOf(file)
	return err
}

func tryStream(input []byte, asked map[string]uint64) error {
	return eachItem(input, 0, asked, func(uint32, *hurray.Item) error { return nil })
}
