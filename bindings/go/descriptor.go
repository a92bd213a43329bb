package hurray

import "github.com/hurray-format/hurray-go/internal/capi"

// Descriptor says what a tensor is: element type, shape, layout, buffers, quantization and sections. It is immutable,
// and everything it carries was read when it was made: no accessor can fail.
//
// Of a permissively decoded layout that was not understood only the layout's bytes are known; buffers and sections
// read as if they were not there.
type Descriptor struct {
	handle *handle // its own, or that of what it is borrowed from
	raw    uintptr
	keep   any // the object that must stay reachable
	fields fieldSet
}

// DecodeDescriptor decodes and validates a descriptor, strictly. Bytes behind its own end are left alone.
// [OptionPermissive] set to 1 keeps private layouts and unknown parts; nothing then licenses reading the tensor's data.
// No other option is looked at. Errors: the status of the first rule that is broken, and its text.
func DecodeDescriptor(bytes []byte, options ...Option) (*Descriptor, error) {
	if err := library(); err != nil {
		return nil, err
	}
	var flags uint32
	for _, option := range options {
		if option.ID == OptionPermissive {
			flags = capi.DecodePermissive * uint32(min(option.Value, 1))
		}
	}
	var raw uintptr
	fields, err := readFields(func(words []uint64) (count uint64, failure *capi.Failure) {
		if raw == 0 {
			raw, count, failure = capi.DescriptorDecode(bytes, flags, words)
			return count, failure
		}
		return capi.DescriptorFields(raw, words)
	})
	return ownDescriptor(raw, fields, err)
}

// DescriptorFromFields makes a descriptor of fields in any order, with full validation. Derived fields may be left out.
func DescriptorFromFields(fields []Field) (*Descriptor, error) {
	if err := library(); err != nil {
		return nil, err
	}
	var out fieldWriter
	for _, field := range fields {
		out.put(field.ID, field.Level, field.Kind, int(field.count), field.words...)
	}
	raw, failure := capi.DescriptorFromFields(out.words)
	if failure != nil {
		return nil, failed(failure)
	}
	return readDescriptor(raw)
}

// readDescriptor reads a descriptor that becomes the caller's.
func readDescriptor(raw uintptr) (*Descriptor, error) {
	fields, err := readFields(func(words []uint64) (uint64, *capi.Failure) {
		return capi.DescriptorFields(raw, words)
	})
	return ownDescriptor(raw, fields, err)
}

func ownDescriptor(raw uintptr, fields []Field, err error) (*Descriptor, error) {
	if err != nil {
		if raw != 0 {
			capi.DescriptorDestroy(raw)
		}
		return nil, err
	}
	d := &Descriptor{handle: newHandle(raw, "descriptor", capi.DescriptorDestroy), raw: raw, fields: fields}
	closeWith(d, d.handle)
	return d, nil
}

// borrowDescriptor reads a descriptor that belongs to another object, which it keeps reachable and is in use now.
func borrowDescriptor(raw uintptr, from *handle, keep any) (*Descriptor, error) {
	fields, err := readFields(func(words []uint64) (uint64, *capi.Failure) {
		return capi.DescriptorFields(raw, words)
	})
	if err != nil {
		return nil, err
	}
	return &Descriptor{handle: from, raw: raw, keep: keep, fields: fields}, nil
}

// Close ends the descriptor. One that belongs to a tensor, an item or a file ends with it; closing it does nothing.
// What was read of it can still be asked.
func (d *Descriptor) Close() error {
	if d.keep == nil {
		d.handle.close()
	}
	return nil
}

// ElementType is what one element is.
func (d *Descriptor) ElementType() ElementType {
	return ElementType(d.fields.u(capi.HeaderFieldElementType))
}

// Shape has the extent of each dimension, slowest-varying first as the row-major order has them; [Dynamic] is one that
// is not known.
func (d *Descriptor) Shape() []uint64 {
	shape := d.fields.us(capi.HeaderFieldShape, 0)
	if shape == nil {
		return []uint64{}
	}
	return shape
}

// Rank is the number of dimensions, 0 to 64.
func (d *Descriptor) Rank() int { return int(d.fields.u(capi.HeaderFieldRank)) }

// Layout is how the elements lie in memory.
func (d *Descriptor) Layout() Layout { return d.fields.layout() }

// ByteOffset is where, from the start of buffer 0, the element at index zero lies.
func (d *Descriptor) ByteOffset() uint64 { return d.fields.u(capi.HeaderFieldByteOffset) }

// Flags are the section flags, as on the wire.
func (d *Descriptor) Flags() uint32 { return uint32(d.fields.u(capi.HeaderFieldFlags)) }

// FormatVersion is the version of the format that the descriptor is written in.
func (d *Descriptor) FormatVersion() (major, minor uint32) {
	return uint32(d.fields.u(capi.HeaderFieldVersionMajor)), uint32(d.fields.u(capi.HeaderFieldVersionMinor))
}

// EncodedLength is the length of the descriptor's bytes.
func (d *Descriptor) EncodedLength() uint64 { return d.fields.u(capi.HeaderFieldEncodedLength) }

// ElementCount is the product of the shape, and whether it is known: it is not with dynamic dimensions or beyond 64
// bits.
func (d *Descriptor) ElementCount() (uint64, bool) {
	field, ok := d.fields.find(capi.HeaderFieldElementCount, 0)
	return field.Uint64(), ok
}

// Buffers is the buffer table.
func (d *Descriptor) Buffers() []BufferEntry { return d.fields.buffers() }

// Quantization is how codes stand for values, or nil.
func (d *Descriptor) Quantization() Quantization { return d.fields.quantization() }

// Shard says where the tensor lies in a larger one, or is nil.
func (d *Descriptor) Shard() *Shard { return d.fields.shard() }

// Statistics are what is known of the values, or nil.
func (d *Descriptor) Statistics() *Statistics { return d.fields.statistics() }

// ExtensionType is the private element type, or nil.
func (d *Descriptor) ExtensionType() *ExtensionType { return d.fields.extensionType() }

// MemberRole is the role in an overlay, or nil.
func (d *Descriptor) MemberRole() *MemberRole { return d.fields.memberRole() }

// Fields is everything the descriptor carries, derived fields too, in ascending order of identifier, then level.
func (d *Descriptor) Fields() []Field { return append([]Field(nil), d.fields...) }

// Field is one of them, by its HURRAY_..._FIELD_... identifier and its level.
func (d *Descriptor) Field(id, level uint32) (Field, bool) { return d.fields.find(id, level) }

// Encode gives the descriptor's bytes: the very bytes that were decoded, or what was built.
func (d *Descriptor) Encode() ([]byte, error) {
	return d.read(capi.DescriptorEncode, int(d.EncodedLength()))
}

// Annotate gives the descriptor's bytes as a table for people: offset, bytes, and what they are.
func (d *Descriptor) Annotate() (string, error) {
	text, err := d.read(capi.DescriptorAnnotate, 4096)
	return string(text), err
}

// String is one line that says element type, shape, layout, quantization, device and bytes.
func (d *Descriptor) String() string {
	text, err := d.read(capi.DescriptorDescribe, 256)
	return line(text, err)
}

func (d *Descriptor) read(get func(uintptr, []byte) (uint64, *capi.Failure), room int) ([]byte, error) {
	if _, err := d.handle.enter(); err != nil {
		return nil, err
	}
	defer d.handle.leave()
	return readBytes(d.raw, get, room)
}

// readBytes fills an array, and once more if it was too short.
func readBytes(raw uintptr, get func(uintptr, []byte) (uint64, *capi.Failure), room int) ([]byte, error) {
	for {
		bytes := make([]byte, room)
		length, failure := get(raw, bytes)
		if failure != nil {
			return nil, failed(failure)
		}
		if length <= uint64(len(bytes)) {
			return bytes[:length], nil
		}
		room = int(length)
	}
}

// line is text for people, or the error in its place.
func line(text []byte, err error) string {
	if err != nil {
		return err.Error()
	}
	return string(text)
}
