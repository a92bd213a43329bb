package hurray_test

import (
	"testing"

	hurray "github.com/hurray-format/hurray-go"
)

func memberOf(values []float32, offset uint64) *hurray.Item {
	shard := hurray.Shard{ParentShape: []uint64{4}, Offset: []uint64{offset}}
	shape := []uint64{uint64(len(values))}
	d := must(hurray.NewBuilder(hurray.TypeFloat32, shape, nil).Shard(shard).DefaultBuffers().Finish())
	defer d.Close()
	buffer := must(hurray.BufferCopyOf(values))
	defer buffer.Close()
	tensor := must(hurray.NewTensor(d, buffer))
	defer tensor.Close()
	return must(hurray.NewItem(tensor))
}

func partition(members ...*hurray.Item) (*hurray.Item, error) {
	layout := hurray.CompositeLayout{Rule: hurray.RulePartition, MemberCount: uint32(len(members))}
	head := must(hurray.NewBuilder(hurray.TypeFloat32, []uint64{4}, layout).Finish())
	defer head.Close()
	return hurray.NewComposite(head, members...)
}

func elementsOf(item *hurray.Item) []float32 {
	tensor := must(item.Tensor())
	defer tensor.Close()
	return must(hurray.ToSlice[float32](tensor))
}

func TestItemOfTensor(t *testing.T) {
	noLeak(t)
	tensor := must(hurray.FromSlice(aligned[float32](2, 0), []uint64{2}))
	item := must(hurray.NewItem(tensor))
	tensor.Close()
	equal(t, "kind", item.Kind(), hurray.ItemTensor)
	equal(t, "name of the kind", item.Kind().String(), "tensor")
	equal(t, "elements", elementsOf(item), []float32{0, 0})
	equal(t, "line", item.String(), "float32 [2] row_major cpu 8 bytes")
	_, err := item.Head()
	fails(t, err, hurray.ErrInvalidArgument)
	_, err = item.Member(0)
	fails(t, err, hurray.ErrInvalidArgument)
	item.Close()
	_, err = item.Tensor()
	fails(t, err, hurray.ErrInvalidHandle)
}

func TestComposite(t *testing.T) {
	noLeak(t)
	second, first := memberOf([]float32{3, 4}, 2), memberOf([]float32{1, 2}, 0)
	item := must(partition(second, first))
	second.Close()
	first.Close()
	equal(t, "kind", item.Kind(), hurray.ItemComposite)
	equal(t, "members", item.Len(), 2)
	equal(t, "head", must(item.Head()).Layout().Tag(), hurray.TagComposite)
	member := must(item.Member(1))
	_, err := item.Member(2)
	fails(t, err, hurray.ErrIndexOutOfBounds)
	_, err = item.Tensor()
	fails(t, err, hurray.ErrInvalidArgument)
	item.Close()
	equal(t, "elements of a member", elementsOf(member), []float32{1, 2})
	member.Close()
}

func TestCompositeWithAGap(t *testing.T) {
	noLeak(t)
	member := memberOf([]float32{3, 4}, 2)
	defer member.Close()
	_, err := partition(member)
	fails(t, err, hurray.ErrInvalidLayout)
	equal(t, "the member stays", elementsOf(member), []float32{3, 4})
}
