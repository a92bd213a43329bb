package main

import (
	encodinghex "encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	hurray "github.com/hurray-format/hurray-go"
)

// digits are bytes as hexadecimal digits.
type digits []byte

func (d *digits) UnmarshalJSON(text []byte) error {
	var found string
	if err := json.Unmarshal(text, &found); err != nil {
		return err
	}
	bytes, err := encodinghex.DecodeString(found)
	*d = bytes
	return err
}

func hex(bytes []byte) string { return encodinghex.EncodeToString(bytes) }

// wide is an unsigned integer of 64 bits as a string.
type wide uint64

func (w *wide) UnmarshalJSON(text []byte) error {
	var found string
	if err := json.Unmarshal(text, &found); err != nil {
		return err
	}
	value, err := strconv.ParseUint(found, 10, 64)
	*w = wide(value)
	return err
}

func (w wide) MarshalJSON() ([]byte, error) { return json.Marshal(strconv.FormatUint(uint64(w), 10)) }

// signed is an integer of 64 bits as a string.
type signed int64

func (s *signed) UnmarshalJSON(text []byte) error {
	var found string
	if err := json.Unmarshal(text, &found); err != nil {
		return err
	}
	value, err := strconv.ParseInt(found, 10, 64)
	*s = signed(value)
	return err
}

func (s signed) MarshalJSON() ([]byte, error) { return json.Marshal(strconv.FormatInt(int64(s), 10)) }

// double is a number as the digits of its IEEE double.
type double float64

func (r *double) UnmarshalJSON(text []byte) error {
	var found string
	if err := json.Unmarshal(text, &found); err != nil {
		return err
	}
	bits, err := strconv.ParseUint(found, 16, 64)
	*r = double(math.Float64frombits(bits))
	return err
}

func (r double) MarshalJSON() ([]byte, error) {
	return json.Marshal(fmt.Sprintf("%016x", math.Float64bits(float64(r))))
}

// as converts the elements of a list.
func as[To, From any](values []From, convert func(From) To) []To {
	made := make([]To, len(values))
	for k, value := range values {
		made[k] = convert(value)
	}
	return made
}

func wides(values []uint64) []wide     { return as(values, func(v uint64) wide { return wide(v) }) }
func unsigneds(values []wide) []uint64 { return as(values, func(v wide) uint64 { return uint64(v) }) }
func signeds(values []int64) []signed  { return as(values, func(v int64) signed { return signed(v) }) }
func integers(values []signed) []int64 { return as(values, func(v signed) int64 { return int64(v) }) }
func numbers(values []uint64) []uint64 { return append([]uint64{}, values...) }
func realOf(value *float64) *double    { return maybe(value, func(v float64) double { return double(v) }) }
func floatOf(value *double) *float64 {
	return maybe(value, func(v double) float64 { return float64(v) })
}

func maybe[To, From any](value *From, convert func(From) To) *To {
	if value == nil {
		return nil
	}
	made := convert(*value)
	return &made
}

// tagged is a tag of the package: a number whose String is its name.
type tagged interface {
	~uint8
	fmt.Stringer
}

// tag is its name, or its number if it has none: names are single words.
func tag[T tagged](value T) any {
	name := value.String()
	for _, letter := range name {
		if letter == ' ' {
			return uint8(value)
		}
	}
	return name
}

// tagOf is the tag of a name or number.
func tagOf[T tagged](found any) (T, error) {
	switch found := found.(type) {
	case float64:
		return T(uint8(found)), nil
	case string:
		for k := range 256 {
			if T(uint8(k)).String() == found {
				return T(uint8(k)), nil
			}
		}
	}
	return 0, fault(fmt.Sprintf("no tag %v", found))
}

var optionIDs = map[string]hurray.OptionID{
	"permissive":           hurray.OptionPermissive,
	"verify":               hurray.OptionVerify,
	"max_descriptor_bytes": hurray.OptionMaxDescriptorBytes,
	"max_buffer_bytes":     hurray.OptionMaxBufferBytes,
	"max_total_bytes":      hurray.OptionMaxTotalBytes,
	"max_composite_depth":  hurray.OptionMaxCompositeDepth,
	"max_members":          hurray.OptionMaxMembers,
	"max_alignment":        hurray.OptionMaxAlignment,
	"max_message_bytes":    hurray.OptionMaxMessageBytes,
	"max_stream_ids":       hurray.OptionMaxStreamIDs,
	"max_index_bytes":      hurray.OptionMaxIndexBytes,
	"max_kv_bytes":         hurray.OptionMaxKVBytes,
	"cross_machine":        hurray.OptionCrossMachine,
	"flat":                 hurray.OptionFlat,
	"data_alignment":       hurray.OptionDataAlignment,
	"sorted_index":         hurray.OptionSortedIndex,
	"kv_mode":              hurray.OptionKVMode,
	"index_crc":            hurray.OptionIndexCRC,
	"refuse_device_bytes":  hurray.OptionRefuseDeviceBytes,
	"read_ahead":           hurray.OptionReadAhead,
}

func optionsOf(asked map[string]uint64) ([]hurray.Option, error) {
	var options []hurray.Option
	for name, value := range asked {
		id, ok := optionIDs[name]
		if !ok {
			return nil, fault("no option " + name)
		}
		options = append(options, id.Set(value))
	}
	return options, nil
}
