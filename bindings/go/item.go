package hurray

import "github.com/hurray-format/hurray-go/internal/capi"

// ItemKind is what an item is.
type ItemKind uint32

const (
	ItemTensor     ItemKind = capi.ItemTensor     // One tensor.
	ItemComposite  ItemKind = capi.ItemComposite  // A head, and members that are items themselves.
	ItemDescriptor ItemKind = capi.ItemDescriptor // A descriptor without a tensor.
)

// String is "tensor", "composite" or "descriptor".
func (k ItemKind) String() string {
	switch k {
	case ItemComposite:
		return "composite"
	case ItemDescriptor:
		return "descriptor"
	}
	return "tensor"
}

// Item is what a stream or a file yields and a writer accepts: one tensor, or a composite of items. A stream that is
// read with [OptionPermissive] or [OptionFlat] also yields descriptors without a tensor, which no writer accepts.
type Item struct {
	handle *handle
	kind   ItemKind
	count  int
}

func itemOf(raw uintptr, failure *capi.Failure) (*Item, error) {
	if failure != nil {
		return nil, failed(failure)
	}
	kind, count, failure := capi.ItemKind(raw)
	if failure != nil {
		capi.ItemDestroy(raw)
		return nil, failed(failure)
	}
	item := &Item{handle: newHandle(raw, "item", capi.ItemDestroy), kind: ItemKind(kind), count: int(count)}
	closeWith(item, item.handle)
	return item, nil
}

// NewItem makes an item of a share of a tensor.
func NewItem(t *Tensor) (*Item, error) {
	raw, err := t.handle.enter()
	if err != nil {
		return nil, err
	}
	defer t.handle.leave()
	return itemOf(capi.ItemFromTensor(raw))
}

// NewComposite makes a composite of a head and shares of its members, in order, by all rules of composites.
// ErrInvalidLayout for a broken one: the text names it and the member.
func NewComposite(head *Descriptor, members ...*Item) (*Item, error) {
	raws := make([]uintptr, len(members))
	for k, member := range members {
		raw, err := member.handle.enter()
		if err != nil {
			return nil, err
		}
		defer member.handle.leave()
		raws[k] = raw
	}
	if _, err := head.handle.enter(); err != nil {
		return nil, err
	}
	defer head.handle.leave()
	return itemOf(capi.ItemCompose(head.raw, raws))
}

// Close ends this handle; tensors and members that were taken from it live on.
func (i *Item) Close() error {
	i.handle.close()
	return nil
}

// Kind is what the item is.
func (i *Item) Kind() ItemKind { return i.kind }

// Len is the number of members: 0 for another kind.
func (i *Item) Len() int { return i.count }

// Tensor is a share of the tensor. ErrInvalidArgument for another kind.
func (i *Item) Tensor() (*Tensor, error) {
	raw, err := i.handle.enter()
	if err != nil {
		return nil, err
	}
	defer i.handle.leave()
	return tensorOf(capi.ItemShareTensor(raw))
}

// Head is the composite's own descriptor, or the one that came alone; it lives as long as the item. ErrInvalidArgument
// for a tensor.
func (i *Item) Head() (*Descriptor, error) {
	raw, err := i.handle.enter()
	if err != nil {
		return nil, err
	}
	defer i.handle.leave()
	head, failure := capi.ItemHead(raw)
	if failure != nil {
		return nil, failed(failure)
	}
	return borrowDescriptor(head, i.handle, i)
}

// Data is the bytes that came with a descriptor whose layout is unknown, as a uint8 tensor [n]: all its buffers, in
// order, without padding. ErrFieldNotApplicable where nobody knows how many they are, and for a composite's head;
// ErrInvalidArgument for another kind.
func (i *Item) Data() (*Tensor, error) {
	raw, err := i.handle.enter()
	if err != nil {
		return nil, err
	}
	defer i.handle.leave()
	return tensorOf(capi.ItemData(raw))
}

// Member is a share of a member. ErrInvalidArgument for another kind, ErrIndexOutOfBounds beyond the last one.
func (i *Item) Member(index int) (*Item, error) {
	raw, err := i.handle.enter()
	if err != nil {
		return nil, err
	}
	defer i.handle.leave()
	return itemOf(capi.ItemMember(raw, uint64(index)))
}

// Assemble makes one row-major tensor of a composite: a partition's members joined, an overlay's corrections applied to
// its base. An item that is a tensor gives a share of it. ErrUnsupported for a group, whose members are independent.
func (i *Item) Assemble(c *Conversion) (*Tensor, error) {
	return i.handle.convert(c, capi.ItemAssemble)
}

// String is the line of the tensor, of the composite's head, or of the descriptor.
func (i *Item) String() string {
	if i.kind != ItemTensor {
		head, err := i.Head()
		if err != nil {
			return err.Error()
		}
		return head.String()
	}
	tensor, err := i.Tensor()
	if err != nil {
		return err.Error()
	}
	defer tensor.Close()
	return tensor.String()
}
