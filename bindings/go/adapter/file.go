package main

import (
	"encoding/json"
	"fmt"

	hurray "github.com/hurray-format/hurray-go"
)

type (
	entryIn struct {
		Name string
		Item itemIn
	}
	kvIn struct {
		Key   string
		Type  string
		Array bool
		Value json.RawMessage
	}
)

// open opens a file by its path, or from memory.
func open(path string, bytes []byte, asked map[string]uint64) (*hurray.FileReader, error) {
	options, err := optionsOf(asked)
	if err != nil {
		return nil, err
	}
	if path != "" {
		return hurray.OpenFile(path, options...)
	}
	buffer, err := hurray.NewBuffer(uint64(len(bytes)), 4096)
	if err != nil {
		return nil, err
	}
	defer buffer.Close()
	room, err := buffer.Bytes()
	if err != nil {
		return nil, err
	}
	copy(room, bytes)
	return hurray.OpenBuffer(buffer, options...)
}

func readFile(asked *request) (answer, error) {
	file, err := open(asked.Path, asked.Bytes, asked.Options)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return contentsOf(file)
}

func contentsOf(file *hurray.FileReader) (answer, error) {
	pairs, err := kvOut(file)
	if err != nil {
		return nil, err
	}
	names, err := file.Names()
	if err != nil {
		return nil, err
	}
	entries := []answer{}
	for k, name := range names {
		item, err := file.Item(k)
		if err != nil {
			return nil, err
		}
		out, err := itemOut(item)
		item.Close()
		if err != nil {
			return nil, err
		}
		entries = append(entries, answer{"name": name, "item": out})
	}
	top, err := file.Items()
	if err != nil {
		return nil, err
	}
	items := as(top, func(entry int) string { return names[entry] })
	return answer{"entries": entries, "items": items, "kv": pairs}, nil
}

func kvOut(file *hurray.FileReader) ([]answer, error) {
	keys, err := file.Keys()
	if err != nil {
		return nil, err
	}
	pairs := []answer{}
	for _, key := range keys {
		value, err := file.Value(key)
		if err != nil {
			return nil, err
		}
		kind, array, out := valueOut(value)
		pairs = append(pairs, answer{"key": key, "type": kind, "array": array, "value": out})
	}
	return pairs, nil
}

func valueOut(value hurray.KVValue) (kind string, array bool, out any) {
	switch value := value.(type) {
	case bool:
		return "bool", false, value
	case []bool:
		return "bool", true, append([]bool{}, value...)
	case int64:
		return "int64", false, signed(value)
	case []int64:
		return "int64", true, signeds(value)
	case uint64:
		return "uint64", false, wide(value)
	case []uint64:
		return "uint64", true, wides(value)
	case float64:
		return "float64", false, double(value)
	case []float64:
		return "float64", true, as(value, func(v float64) double { return double(v) })
	case string:
		return "string", false, value
	case []string:
		return "string", true, append([]string{}, value...)
	case []byte:
		return "bytes", false, hex(value)
	default:
		return "bytes", true, as(value.([][]byte), hex)
	}
}

// value is the value of a pair as the package takes it.
func (p *kvIn) value() (hurray.KVValue, error) {
	switch p.Type {
	case "bool":
		return valueIn(p, func(v bool) bool { return v })
	case "int64":
		return valueIn(p, func(v signed) int64 { return int64(v) })
	case "uint64":
		return valueIn(p, func(v wide) uint64 { return uint64(v) })
	case "float64":
		return valueIn(p, func(v double) float64 { return float64(v) })
	case "string":
		return valueIn(p, func(v string) string { return v })
	case "bytes":
		return valueIn(p, func(v digits) []byte { return append([]byte{}, v...) })
	default:
		return nil, fault(fmt.Sprintf("no key-value type %q", p.Type))
	}
}

func valueIn[To, From any](p *kvIn, convert func(From) To) (hurray.KVValue, error) {
	if p.Array {
		var values []From
		err := json.Unmarshal(p.Value, &values)
		return as(values, convert), err
	}
	var value From
	err := json.Unmarshal(p.Value, &value)
	return convert(value), err
}

func writeFile(asked *request) (answer, error) {
	options, err := optionsOf(asked.Options)
	if err != nil {
		return nil, err
	}
	file, err := hurray.CreateFile(asked.Path, append(options, hurray.OptionDurable.Set(0))...)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for _, pair := range asked.KV {
		value, err := pair.value()
		if err != nil {
			return nil, err
		}
		if err := file.Set(pair.Key, value); err != nil {
			return nil, err
		}
	}
	for _, entry := range asked.Entries {
		item, err := entry.Item.make()
		if err != nil {
			return nil, err
		}
		err = file.PutItem(entry.Name, item)
		item.Close()
		if err != nil {
			return nil, err
		}
	}
	return nil, file.Finish()
}
