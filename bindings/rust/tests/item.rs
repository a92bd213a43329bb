//! Items: one tensor, or a composite whose members are items.

use hurray_client::{
    Buffer, BufferList, CombineOp, CompositionRule, Content, DescriptorBuilder, ElementType, Item, Layout,
    Owner, Result, Shard, Status, Tensor,
};

/// Two of the four elements of a vector, as a part of it.
fn half(offset: u64, elements: [u8; 2]) -> Result<Tensor> {
    let mut builder = DescriptorBuilder::new(ElementType::UINT8, &Layout::RowMajor, &[2])?;
    builder.shard(&Shard { parent_shape: vec![4], offset: vec![offset] })?.push_default_buffers()?;
    Tensor::from_descriptor(
        &*builder.finish()?,
        BufferList::of([Buffer::copy_of(&elements)?])?,
        Owner::none(),
    )
}

fn head(member_count: u32) -> Result<hurray_client::Descriptor> {
    let (rule, combine_op) = (CompositionRule::PARTITION, CombineOp::NONE);
    DescriptorBuilder::new(ElementType::UINT8, &Layout::Composite { rule, combine_op, member_count }, &[4])?
        .finish()
}

#[test]
fn a_tensor_is_an_item() {
    let tensor = Tensor::from_vec(&[2], vec![1u8, 2]).unwrap();
    let item = Item::of(&tensor).unwrap();
    drop(tensor);
    assert_eq!(item.head().unwrap_err().status, Status::INVALID_ARGUMENT);
    assert_eq!(item.member_count().unwrap_err().status, Status::INVALID_ARGUMENT);
    let Content::Tensor(tensor) = item.content().unwrap() else { panic!("not a tensor") };
    drop(item);
    assert_eq!(tensor.array_view().unwrap().shape(), [2]);
}

#[test]
fn a_partition_keeps_its_members() {
    let members =
        [half(0, [1, 2]).unwrap(), half(2, [3, 4]).unwrap()].map(|tensor| Item::of(&tensor).unwrap());
    let item = Item::composite(&head(2).unwrap(), &[&members[0], &members[1]]).unwrap();
    drop(members);
    let Content::Composite(head) = item.content().unwrap() else { panic!("not a composite") };
    assert_eq!(head.shape().unwrap(), [4]);
    assert_eq!(item.member_count().unwrap(), 2);
    assert_eq!(item.member(2).unwrap_err().status, Status::INDEX_OUT_OF_BOUNDS);
    assert_eq!(item.tensor().unwrap_err().status, Status::INVALID_ARGUMENT);
    let last = item.member(1).unwrap().share().unwrap();
    drop(item);
    let tensor = last.tensor().unwrap();
    // SAFETY: nobody writes.
    assert_eq!(unsafe { tensor.buffer(0).unwrap().as_bytes() }.unwrap(), [3, 4]);
}

#[test]
fn a_partition_with_a_gap_is_refused() {
    let member = Item::of(&half(0, [1, 2]).unwrap()).unwrap();
    let error = Item::composite(&head(1).unwrap(), &[&member]).unwrap_err();
    assert_eq!(error.status, Status::INVALID_LAYOUT);
}

#[test]
fn a_raw_item_goes_out_and_comes_back() {
    let raw = Item::of(&half(0, [1, 2]).unwrap()).unwrap().into_raw();
    // SAFETY: the handle is live, and nobody else has it.
    assert_eq!(unsafe { Item::from_raw(raw) }.unwrap().as_raw(), raw);
}
