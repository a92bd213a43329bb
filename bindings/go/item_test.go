package hurray_test

import (
	"math"
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

func TestAssemble(t *testing.T) {
	noLeak(t)
	second, first := memberOf([]float32{3, 4}, 2), memberOf([]float32{1, 2}, 0)
	item := must(partition(second, first))
	defer item.Close()
	second.Close()
	var c hurray.Conversion
	whole := must(item.Assemble(&c))
	defer whole.Close()
	equal(t, "elements", must(hurray.View[float32](whole)), []float32{1, 2, 3, 4})
	equal(t, "written", c.Written, 16)
	into := must(hurray.NewBuffer(16, 64))
	defer into.Close()
	must(item.Assemble(&hurray.Conversion{Into: into})).Close()
	equal(t, "memory", must(into.Bytes())[12:], u32(math.Float32bits(4)))
	share := must(first.Assemble(&c))
	defer share.Close()
	first.Close()
	equal(t, "elements of a tensor", must(hurray.View[float32](share)), []float32{1, 2})
	equal(t, "written by a share", c.Written, 0)

	// 2 is added where the correction stores it: at row 1, column 0.
	base, correction := denseItem([]float32{1, 2, 3, 4}), cooItem([]float32{2}, []uint64{1, 0})
	defer base.Close()
	defer correction.Close()
	layout := hurray.CompositeLayout{Rule: hurray.RuleOverlay, CombineOp: hurray.OpAdd, MemberCount: 2}
	head := must(hurray.NewBuilder(hurray.TypeFloat32, []uint64{2, 2}, layout).Finish())
	defer head.Close()
	overlay := must(hurray.NewComposite(head, base, correction))
	defer overlay.Close()
	applied := must(overlay.Assemble(nil))
	defer applied.Close()
	equal(t, "elements of an overlay", must(hurray.View[float32](applied)), []float32{1, 2, 5, 4})

	tensor := must(hurray.FromSlice([]float32{1}, []uint64{1}))
	defer tensor.Close()
	independent := must(hurray.NewItem(tensor))
	defer independent.Close()
	group := must(hurray.NewBuilder(hurray.TypeFloat32, nil,
		hurray.CompositeLayout{Rule: hurray.RuleGroup, MemberCount: 1}).Finish())
	defer group.Close()
	grouped := must(hurray.NewComposite(group, independent))
	defer grouped.Close()
	_, err := grouped.Assemble(nil)
	fails(t, err, hurray.ErrUnsupported)
}

// memberIn makes a 2 × 2 member of a layout and its buffers, which it closes.
func memberIn(layout hurray.Layout, role hurray.MemberRole, buffers ...*hurray.Buffer) *hurray.Item {
	shape := []uint64{2, 2}
	builder := hurray.NewBuilder(hurray.TypeFloat32, shape, layout).MemberRole(role)
	d := must(builder.Shard(hurray.Shard{ParentShape: shape, Offset: []uint64{0, 0}}).DefaultBuffers().Finish())
	defer d.Close()
	tensor := must(hurray.NewTensor(d, buffers...))
	defer tensor.Close()
	for _, buffer := range buffers {
		buffer.Close()
	}
	return must(hurray.NewItem(tensor))
}

func denseItem(values []float32) *hurray.Item {
	return memberIn(nil, hurray.MemberBase, must(hurray.BufferCopyOf(values)))
}

func cooItem(values []float32, indices []uint64) *hurray.Item {
	layout := hurray.COOLayout{NNZ: uint64(len(values)), IsSorted: true}
	return memberIn(layout, hurray.MemberCorrection, must(hurray.BufferCopyOf(values)),
		must(hurray.BufferCopyOf(indices)))
}

func TestCompositeWithAGap(t *testing.T) {
	noLeak(t)
	member := memberOf([]float32{3, 4}, 2)
	defer member.Close()
	_, err := partition(member)
	fails(t, err, hurray.ErrInvalidLayout)
	equal(t, "the member stays", elementsOf(member), []float32{3, 4})
}
