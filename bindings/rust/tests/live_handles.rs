//! Nothing that was made, refused or dropped is left behind. Alone in its program, because the count is the library's.

use hurray_client::{
    Buffer, BufferList, BufferRole, DescriptorBuilder, ElementType, Layout, Options, Owner, Tensor,
    live_handles,
};

#[test]
fn every_handle_ends() {
    for _ in 0..10 {
        let mut builder =
            DescriptorBuilder::new(ElementType::UINT8, &Layout::Csr { nnz: 1 }, &[1, 1]).unwrap();
        let descriptor = builder.push_default_buffers().unwrap().finish().unwrap();
        let word = |value: u64| Buffer::copy_of(&value.to_le_bytes()).unwrap();
        let pointers = Buffer::copy_of(&[0u64, 1].map(u64::to_le_bytes).concat()).unwrap();
        let list = BufferList::of([Buffer::copy_of(&[5]).unwrap(), word(0), pointers]).unwrap();
        let tensor = Tensor::from_descriptor(&descriptor, list, Owner::none()).unwrap();
        let part = tensor.part(BufferRole::POINTERS, 0).unwrap();
        let share = (tensor.share().unwrap(), tensor.buffer(0).unwrap().share().unwrap());
        let options = Options::new().unwrap();
        // The builder, the descriptor, the tensor, its part, two shares and the options.
        assert_eq!(live_handles().unwrap(), 7);

        Tensor::from_vec(&[1; 65], vec![0u8]).unwrap_err(); // a rank above 64
        Tensor::from_descriptor(&descriptor, BufferList::of([word(0)]).unwrap(), Owner::none()).unwrap_err();
        DescriptorBuilder::new(ElementType::UINT8, &Layout::Csr { nnz: 1 }, &[1])
            .unwrap()
            .finish()
            .unwrap_err();
        assert_eq!(live_handles().unwrap(), 7);
        drop((builder, descriptor, tensor, part, share, options));
        assert_eq!(live_handles().unwrap(), 0);
    }
}
