//! Bare streams and the published crate hurray-io 0.1.0, as a black box: the same bytes, read in both directions.

use crate::compose::*;
use crate::read::*;
use crate::ready::ready;
use crate::status;
use crate::write::*;
use hurray_core::descriptor::TensorDescriptor;
use hurray_io::stream::{CompositeNode, StreamItem, StreamReader, StreamWriter};

/// An item as the published crate has it.
enum Node {
    Tensor(TensorDescriptor, Vec<Vec<u8>>),
    Composite(TensorDescriptor, Vec<Node>),
}

fn node(got: &Got) -> Node {
    let decoded = |bytes: &[u8]| TensorDescriptor::decode(bytes).expect("a descriptor that they take");
    match got {
        Got::Tensor(descriptor, buffers) => Node::Tensor(decoded(descriptor), buffers.clone()),
        Got::Composite(head, members) => Node::Composite(decoded(head), members.iter().map(node).collect()),
        Got::Alone(..) => panic!("a strict reader gives whole items"),
    }
}

/// Their form of members, which borrows lists at every level: those are given away for the time of the test.
fn borrowed(nodes: &'static [Node]) -> &'static [CompositeNode<'static>] {
    let each = |node: &'static Node| match node {
        Node::Tensor(descriptor, buffers) => CompositeNode::Tensor { descriptor, buffers: slices(buffers) },
        Node::Composite(head, members) => CompositeNode::Composite { head, members: borrowed(members) },
    };
    nodes.iter().map(each).collect::<Vec<_>>().leak()
}

fn slices(buffers: &'static [Vec<u8>]) -> &'static [&'static [u8]] {
    buffers.iter().map(Vec::as_slice).collect::<Vec<_>>().leak()
}

/// What they write of these items.
fn written(items: &[Got]) -> Vec<u8> {
    let nodes: &'static [Node] = items.iter().map(node).collect::<Vec<_>>().leak();
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::new(&mut bytes);
    for node in nodes {
        match node {
            Node::Tensor(descriptor, buffers) => ready(writer.write_tensor(descriptor, slices(buffers))),
            Node::Composite(head, members) => ready(writer.write_composite(head, borrowed(members))),
        }
        .expect("written");
    }
    ready(writer.finish()).expect("finished");
    bytes
}

fn shown(item: &StreamItem) -> Got {
    match item {
        StreamItem::Tensor(tensor) => {
            let buffers = tensor.buffers.iter().map(|buffer| buffer.to_vec()).collect();
            Got::Tensor(tensor.descriptor.encode().expect("encoded"), buffers)
        }
        StreamItem::Composite(composite) => {
            let members = composite.members.iter().map(shown).collect();
            Got::Composite(composite.head.encode().expect("encoded"), members)
        }
    }
}

/// The items that they read, and whether the stream ended well for them.
fn read_by_them(bytes: &[u8]) -> (Vec<Got>, bool) {
    let mut reader = StreamReader::new(bytes);
    let mut items = Vec::new();
    loop {
        match ready(reader.next_item()) {
            Ok(Some(item)) => items.push(shown(&item)),
            Ok(None) => return (items, true),
            Err(_) => return (items, false),
        }
    }
}

fn samples() -> [Vec<Desc>; 5] {
    [vec![], vec![bytes_of(&[2, 3])], nested(), mixture(), vec![bytes_of(&[100_000]), csr()]]
}

#[test]
fn they_write_the_same_bytes() {
    for all in samples() {
        let writer = Writer::bare();
        for item in items(&all) {
            writer.put(&item).unwrap();
        }
        assert_eq!(written(&expected(&all)), writer.drain(usize::MAX));
    }
}

#[test]
fn they_read_what_we_write_and_we_what_they_write() {
    for all in samples() {
        let theirs = written(&expected(&all));
        let (ours, ended) = read(&theirs, &[], &Way::Windows(4096));
        assert_eq!((ours.into_iter().map(|(_, got)| got).collect(), ended), (expected(&all), Ok(())));
        assert_eq!(read_by_them(&bare(&all)), (expected(&all), true));
    }
}

#[test]
fn a_cut_stream_ends_for_both_at_the_same_item() {
    let bytes = bare(&mixture());
    for cut in 0..=bytes.len() {
        let (items, ended) = read(&bytes[..cut], &[], &Way::Windows(usize::MAX));
        let items: Vec<Got> = items.into_iter().map(|(_, got)| got).collect();
        assert_eq!((items, ended.is_ok()), read_by_them(&bytes[..cut]), "cut at {cut}");
        if let Err(refusal) = ended {
            assert!([status::TRUNCATED, status::TORN].contains(&refusal.status), "{refusal:?}");
        }
    }
}
