package hurray

import "github.com/hurray-format/hurray-go/internal/capi"

// Builder writes a descriptor from the same structs that it is read as. Nothing is judged before Finish, which leaves
// the builder as it is.
type Builder struct {
	kind     ElementType
	shape    []uint64
	layout   LayoutTag
	out      fieldWriter
	entries  []capi.Entry
	defaults bool
}

// NewBuilder starts a descriptor of an element type, a shape and a layout; nil is row-major.
func NewBuilder(kind ElementType, shape []uint64, layout Layout) *Builder {
	if layout == nil {
		layout = RowMajorLayout{}
	}
	b := &Builder{kind: kind, shape: append([]uint64(nil), shape...), layout: layout.Tag()}
	layout.write(&b.out)
	return b
}

// ByteOffset sets where, from the start of buffer 0, the element at index zero lies.
func (b *Builder) ByteOffset(offset uint64) *Builder {
	b.out.u(capi.HeaderFieldByteOffset, offset)
	return b
}

// Quantization sets how codes stand for values.
func (b *Builder) Quantization(quantization Quantization) *Builder {
	b.out.u(capi.QuantFieldScheme, uint64(quantization.Tag()))
	quantization.write(&b.out)
	return b
}

// Shard sets where the tensor lies in a larger one.
func (b *Builder) Shard(shard Shard) *Builder {
	shard.write(&b.out)
	return b
}

// Statistics sets what is known of the values.
func (b *Builder) Statistics(statistics Statistics) *Builder {
	statistics.write(&b.out)
	return b
}

// ExtensionType describes a private element type.
func (b *Builder) ExtensionType(kind ExtensionType) *Builder {
	kind.write(&b.out)
	return b
}

// MemberRole sets the role in an overlay.
func (b *Builder) MemberRole(role MemberRole) *Builder {
	b.out.u(capi.MemberFieldRole, uint64(role))
	return b
}

// Set sets one field by its HURRAY_..._FIELD_... identifier. value is a uint64, int64, float64, []uint64, []int64 or
// []byte; anything else sets nothing and makes Finish fail, as the library does for a value of another kind.
func (b *Builder) Set(id, level uint32, value any) *Builder {
	switch value := value.(type) {
	case uint64:
		b.out.uAt(id, level, value)
	case int64:
		b.out.put(id, level, FieldInt64, 1, uint64(value))
	case float64:
		start := len(b.out.words)
		b.out.f(id, value)
		b.out.words[start] |= uint64(level) << 32
	case []uint64:
		b.out.us(id, level, value)
	case []int64:
		b.out.is(id, level, value)
	case []byte:
		start := len(b.out.words)
		b.out.bytes(id, value)
		b.out.words[start] |= uint64(level) << 32
	default:
		b.out.uAt(0, level, 0)
	}
	return b
}

// Buffer appends an entry to the buffer table. Role and level are not looked at; an alignment of 0 is written as 64.
func (b *Builder) Buffer(entry BufferEntry) *Builder {
	if entry.Alignment == 0 {
		entry.Alignment = 64
	}
	b.entries = append(b.entries, capi.Entry{
		ByteSize: entry.ByteSize, Alignment: entry.Alignment, Device: uint8(entry.Device),
		SyncMode: uint8(entry.SyncMode), MemoryClass: uint8(entry.MemoryClass),
	})
	return b
}

// DefaultBuffers has Finish append the buffers that all other fields imply, of the smallest sizes: CPU,
// producer-synced, aligned to 64 bytes. Buffer indices of the scheme that were left open are set.
func (b *Builder) DefaultBuffers() *Builder {
	b.defaults = true
	return b
}

// Finish validates what was set and makes the descriptor. Errors: as [DecodeDescriptor] for the same values; a field
// that does not exist, or is of another layout, kind or scheme.
func (b *Builder) Finish() (*Descriptor, error) {
	if err := library(); err != nil {
		return nil, err
	}
	raw, failure := capi.DescriptorBuild(uint8(b.kind), uint8(b.layout), b.shape, b.out.words, b.entries, b.defaults)
	if failure != nil {
		return nil, failed(failure)
	}
	return readDescriptor(raw)
}
