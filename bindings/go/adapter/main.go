// Program adapter lets the conformance runner use this package: conformance/PROTOCOL.md says how.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	hurray "github.com/hurray-format/hurray-go"
)

// request has the keys of all requests.
type request struct {
	Op             string
	Bytes          digits
	Permissive     bool
	Descriptor     digits
	Buffers        []digits
	Item           *itemIn
	DType          any
	Shape          []wide
	Data           digits
	Struct         *structIn
	Versioned      bool
	Path           string
	Options        map[string]uint64
	Entries        []entryIn
	KV             []kvIn
	Chunk          int
	Items          []itemIn
	Form           string
	StreamID       uint32 `json:"stream_id"`
	MaxMessageSize uint64 `json:"max_message_size"`
	What           string
	Inputs         []digits
	Base           digits
	Cuts           []int
	Flips          []int
	How            string
	Target         *descriptorIn
	Parameters     []digits
	Starts         []signed
	Stops          []signed
	Steps          []signed
	Index          []wide
	SeqLengths     []wide `json:"seq_lengths"`
	Paged          *itemIn
	Library        string
	Version        uint32
}

type answer map[string]any

// fault is what the adapter itself cannot express.
type fault string

func (f fault) Error() string { return string(f) }

var operations = map[string]func(*request) (answer, error){
	"hello":         hello,
	"decode":        decode,
	"build":         build,
	"bind":          bind,
	"array":         array,
	"read_file":     readFile,
	"write_file":    writeFile,
	"read_stream":   readStream,
	"write_stream":  writeStream,
	"dlpack_export": exportStruct,
	"dlpack_import": importStruct,
	"convert":       convert,
	"foreign":       foreign,
	"describe":      describe,
	"batch":         batch,
	"live_handles":  liveHandles,
	"quit":          func(*request) (answer, error) { return answer{}, nil },
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked request
		reply := answer{}
		if err := json.Unmarshal(line, &asked); err != nil {
			reply = answer{"fault": err.Error()}
		} else {
			reply = serve(&asked)
		}
		if err := encoder.Encode(reply); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		out.Flush()
		if asked.Op == "quit" {
			return
		}
	}
}

// serve answers one request. An error of the package becomes its status and text, anything else a fault.
func serve(asked *request) answer {
	operation, ok := operations[asked.Op]
	if !ok {
		return answer{"fault": fmt.Sprintf("no operation %q", asked.Op)}
	}
	reply, err := operation(asked)
	if reply == nil {
		reply = answer{}
	}
	var made *hurray.Error
	switch {
	case err == nil:
		reply["status"] = 0
	case errors.As(err, &made):
		reply["status"] = int32(made.Status)
		reply["message"] = made.Text
	default:
		return answer{"fault": err.Error()}
	}
	return reply
}

func statusOf(err error) (int32, error) {
	var made *hurray.Error
	if err == nil {
		return 0, nil
	}
	if errors.As(err, &made) {
		return int32(made.Status), nil
	}
	return 0, err
}

func hello(*request) (answer, error) {
	return answer{
		"language": "go", "abi_version": hurray.LoadedABIVersion(), "library": hurray.LibraryPath(),
	}, hurray.Check()
}

func decode(asked *request) (answer, error) {
	permissive := hurray.OptionPermissive.Set(0)
	if asked.Permissive {
		permissive.Value = 1
	}
	d, err := hurray.DecodeDescriptor(asked.Bytes, permissive)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	encoded, err := d.Encode()
	if err != nil {
		return nil, err
	}
	return answer{"descriptor": descriptorOut(d), "bytes": hex(encoded)}, nil
}

func build(asked *request) (answer, error) {
	made, err := asked.Item.make()
	if err != nil {
		return nil, err
	}
	defer made.Close()
	out, err := itemOut(made)
	if err != nil {
		return nil, err
	}
	bytes, err := encodedOf(made)
	return answer{"item": out, "bytes": hex(bytes)}, err
}

func bind(asked *request) (answer, error) {
	d, err := hurray.DecodeDescriptor(asked.Descriptor)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	tensor, err := boundTo(d, asked.Buffers)
	if err != nil {
		return nil, err
	}
	defer tensor.Close()
	out, err := tensorOut(tensor)
	return answer{"item": out}, err
}

func encodedOf(item *hurray.Item) ([]byte, error) {
	if item.Kind() == hurray.ItemComposite {
		head, err := item.Head()
		if err != nil {
			return nil, err
		}
		return head.Encode()
	}
	tensor, err := item.Tensor()
	if err != nil {
		return nil, err
	}
	defer tensor.Close()
	d, err := tensor.Descriptor()
	if err != nil {
		return nil, err
	}
	return d.Encode()
}

func describe(asked *request) (answer, error) {
	made, err := asked.Item.make()
	if err != nil {
		return nil, err
	}
	defer made.Close()
	return answer{"text": made.String()}, nil
}

func liveHandles(*request) (answer, error) {
	var count uint64
	var err error
	for range 20 {
		runtime.GC()
		if count, err = hurray.LiveHandles(); count == 0 || err != nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	return answer{"count": count}, err
}
