// Program demo is Go's part of the tour: it reads what Python wrote, and writes a tensor that Python reads.
//
//	demo FILE STREAM OUT
//
// FILE is a file of tensors, STREAM a Unix socket to connect to, or a file or pipe with a stream of tensors, OUT the
// file to write. One JSON object a line goes to standard output: one for each tensor of the file, then of the stream,
// with the CRC-32 of its logical bytes, then one with the number of live handles. The exit code is 1 if anything fails.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	hurray "github.com/hurray-format/hurray-go"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: demo FILE STREAM OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], json.NewEncoder(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file, stream, out string, lines *json.Encoder) error {
	err := errors.Join(readFile(file, lines), readStream(stream, lines), writeFile(out))
	live, counted := hurray.LiveHandles()
	return errors.Join(err, counted, lines.Encode(map[string]uint64{"live_handles": live}))
}

func readFile(path string, lines *json.Encoder) error {
	file, err := hurray.OpenFile(path)
	if err != nil {
		return err
	}
	defer file.Close()
	names, err := file.Names()
	if err != nil {
		return err
	}
	for entry, name := range names {
		d, err := file.Descriptor(entry)
		if err != nil {
			return err
		}
		if d.Layout().Tag() == hurray.TagComposite {
			continue // its members are entries too
		}
		tensor, err := file.TensorAt(entry)
		if err == nil {
			err = report(lines, "file", name, tensor)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readStream(path string, lines *json.Encoder) error {
	source, err := open(path)
	if err != nil {
		return err
	}
	defer source.Close()
	reader, err := hurray.NewStreamReader(source)
	if err != nil {
		return err
	}
	defer reader.Close()
	count := 0
	for item, err := range reader.All(context.Background()) {
		if err != nil {
			return err
		}
		if item.Kind() == hurray.ItemTensor {
			tensor, err := item.Tensor()
			if err == nil {
				err = report(lines, "stream", fmt.Sprint(count), tensor)
			}
			if err != nil {
				return err
			}
		}
		item.Close()
		count++
	}
	return nil
}

// open connects to a socket, or opens anything else.
func open(path string) (io.ReadCloser, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode()&os.ModeSocket != 0 {
		return net.Dial("unix", path)
	}
	return os.Open(path)
}

// writeFile writes a column-major tensor whose element [i, j] is 10 i + j.
func writeFile(path string) error {
	data := make([]float64, 12)
	for i := range 3 {
		for j := range 4 {
			data[i+3*j] = float64(10*i + j)
		}
	}
	tensor, err := hurray.FromStrided(data, []uint64{3, 4}, []int{1, 3}, 0)
	if err != nil {
		return err
	}
	defer tensor.Close()
	file, err := hurray.CreateFile(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Set("language", "Go"); err != nil {
		return err
	}
	if err := file.Put("from_go", tensor); err != nil {
		return err
	}
	return file.Finish()
}
