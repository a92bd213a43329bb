//! V-160 to V-168 and L-057 to L-066: members against their head, in composites made of all their parts.

use crate::support::bytes::At::*;
use crate::support::bytes::{Bytes, Wire};
use crate::support::check::rules;
use crate::support::item::{Item, compose};
use crate::support::samples::*;
use crate::support::status::*;

const PARTITION: u8 = 1;
const OVERLAY: u8 = 2;
const GROUP: u8 = 3;
/// Kinds of items.
const IS_TENSOR: u32 = 1;
const IS_COMPOSITE: u32 = 2;

/// The head of a uint8 partition; how many members it has is written when they are known.
fn partition(shape: &[u64]) -> Bytes {
    head(PARTITION, 0, 0, shape).type_tag(0x11)
}

/// The same of an overlay that replaces.
fn overlay(shape: &[u64]) -> Bytes {
    head(OVERLAY, 1, 1, shape).type_tag(0x11)
}

fn group() -> Bytes {
    head(GROUP, 0, 0, &[])
}

/// A member: uint8, row-major, at `offset` of `parent`.
fn block(shape: &[u64], parent: &[u64], offset: &[u64]) -> Bytes {
    bytes_of(shape, shape.iter().product()).shard(parent, offset)
}

/// A member without stored entries, whose box may be larger than any memory.
fn empty(shape: &[u64], parent: &[u64], offset: &[u64]) -> Bytes {
    let payload = [0u64.wire(), vec![1], vec![0; 7]].concat();
    Bytes::new(0x11, 0x06, shape, &[0, 0]).payload(&payload).shard(parent, offset)
}

/// Members of a rank-1 partition, as (offset, extent).
fn runs<const N: usize>(parent: u64, runs: [(u64, u64); N]) -> [Bytes; N] {
    runs.map(|(offset, extent)| block(&[extent], &[parent], &[offset]))
}

fn base(shape: &[u64]) -> Bytes {
    block(shape, shape, &vec![0; shape.len()]).member(1)
}

fn correction(shape: &[u64], parent: &[u64], offset: &[u64]) -> Bytes {
    block(shape, parent, offset).member(0)
}

/// The head with its number of members.
fn of(head: Bytes, members: usize) -> Bytes {
    head.put(Payload(4), members as u32)
}

struct Refused {
    status: i32,
    rules: &'static str,
    /// What the text names: the field and, in brackets, the member.
    place: &'static str,
}

fn refused(head: Bytes, members: &[Item], wanted: &Refused) {
    let said = compose(&head, members).expect_err(wanted.rules);
    assert_eq!(said.status, wanted.status, "{said:?}");
    assert!(wanted.rules.split(' ').any(|rule| rule == said.rule()), "{said:?}, wanted {}", wanted.rules);
    assert!(said.text.contains(wanted.place), "{said:?}, wanted {}", wanted.place);
    for member in members {
        assert!([IS_TENSOR, IS_COMPOSITE].contains(&member.kind()), "a failed call takes nothing");
    }
}

fn breaks<const N: usize>(head: Bytes, members: [Bytes; N], wanted: &Refused) {
    refused(of(head, N), &members.map(Item::from), wanted);
}

/// The composite is made, and holds the very bytes it was made of.
fn keeps<const N: usize>(head: Bytes, members: [Bytes; N]) {
    let head = of(head, N);
    let own: Vec<_> = std::iter::once(&head).chain(&members).map(Bytes::own).collect();
    let whole = compose(&head, &members.map(Item::from)).unwrap_or_else(|said| panic!("{said:?}"));
    assert_eq!(whole.kind(), IS_COMPOSITE);
    assert_eq!(whole.parts(), own);
}

macro_rules! composites {
    ($($name:ident: $head:expr, $members:expr $(=> $status:ident, $rules:literal, $place:literal)?;)*) => {
        $(#[test]
        fn $name() {
            composites!(@ $head, $members, [$($status, $rules, $place)?]);
        })*
    };
    (@ $head:expr, $members:expr, []) => { keeps($head, $members) };
    (@ $head:expr, $members:expr, [$status:ident, $rules:literal, $place:literal]) => {
        breaks($head, $members, &Refused { status: $status, rules: $rules, place: $place })
    };
}

composites! {
    v_160_breaks_in_a_partition: partition(&[2]), [bytes_of(&[2], 2)]
        => INVALID_LAYOUT, "V-160 L-057", "members.shard[0]";
    v_160_breaks_in_an_overlay: overlay(&[2]), [base(&[2]), bytes_of(&[2], 2).member(0)]
        => INVALID_LAYOUT, "V-160 L-057", "members.shard[1]";
    v_160_keeps: partition(&[2]), [block(&[2], &[2], &[0])];
    v_160_keeps_a_group_without: group(), [bytes_of(&[2], 2), plain()];
    // Layouts that have no shards cannot be members here.
    l_057_breaks_for_pages: partition(&[11, 2, 2]), [paged()]
        => INVALID_LAYOUT, "V-160 L-057", "members.shard[0]";
    l_057_breaks_for_csf: overlay(&[3, 4, 5]), [base(&[3, 4, 5]), csf().member(0)]
        => INVALID_LAYOUT, "V-160 L-057", "members.shard[1]";
    l_057_keeps: overlay(&[2]), [base(&[2]), correction(&[1], &[2], &[1])];
    l_057_keeps_pages_in_a_group: group(), [paged(), csf()];

    v_161_breaks: partition(&[4, 6]), [block(&[4, 6], &[4, 7], &[0, 0])]
        => INVALID_LAYOUT, "V-161 L-058", "members.parent_shape[0]";
    v_161_breaks_in_order: partition(&[4, 6]), [block(&[4, 6], &[6, 6], &[0, 0])]
        => INVALID_LAYOUT, "V-161 L-058", "members.parent_shape[0]";
    v_161_keeps: partition(&[4, 6]), [block(&[4, 6], &[4, 6], &[0, 0])];
    v_161_keeps_any_parent_in_a_group: group(), [shard(), block(&[2], &[9], &[7])];
    l_058_breaks_rank: partition(&[4]), [block(&[4, 1], &[4, 1], &[0, 0])]
        => INVALID_LAYOUT, "V-161 L-058", "members.parent_shape[0]";
    l_058_breaks_in_an_overlay: overlay(&[4]), [base(&[4]), correction(&[1], &[5], &[1])]
        => INVALID_LAYOUT, "V-161 L-058", "members.parent_shape[1]";
    l_058_keeps: overlay(&[4]), [base(&[4]), correction(&[1], &[4], &[1])];

    l_059_keeps_the_far_edge: overlay(&[4, 6]), [base(&[4, 6]), correction(&[1, 2], &[4, 6], &[3, 4])];

    v_162_breaks_signedness: partition(&[4]), [block(&[4], &[4], &[0]).type_tag(0x10)]
        => INVALID_LAYOUT, "V-162 L-060", "members.element_type[0]";
    v_162_breaks_a_quantized_member_of_its_storage_type: partition(&[4]).type_tag(0x10),
        [per_tensor().shard(&[4], &[0])] => INVALID_LAYOUT, "V-162 L-060", "members.element_type[0]";
    v_162_keeps: partition(&[4]).type_tag(0x10), [block(&[4], &[4], &[0]).type_tag(0x10)];
    v_162_keeps_any_type_in_a_group: group(), [plain(), scalar(), coo(), per_tensor(), private_float()];
    l_060_breaks_in_an_overlay: overlay(&[2, 3]), [base(&[2, 3]), plain().shard(&[2, 3], &[0, 0]).member(0)]
        => INVALID_LAYOUT, "V-162 L-060", "members.element_type[1]";
    l_060_breaks_a_plain_integer_in_a_float_head: head(PARTITION, 0, 1, &[2]), [block(&[2], &[2], &[0])]
        => INVALID_LAYOUT, "V-162 L-060", "members.element_type[0]";
    l_060_breaks_a_quantized_member_of_a_complex_head: partition(&[4]).type_tag(0x50),
        [per_tensor().shard(&[4], &[0])] => INVALID_LAYOUT, "V-162 L-060", "members.element_type[0]";
    l_060_keeps_private: partition(&[4]).type_tag(0xF1).ext(&private_section()),
        [private_float().shard(&[4], &[0])];

    v_163_breaks_overlay_without: overlay(&[2]), [base(&[2]), block(&[1], &[2], &[0])]
        => INVALID_LAYOUT, "V-163 L-061", "members.role[1]";
    v_163_breaks_partition_with: partition(&[2]), [base(&[2])]
        => INVALID_LAYOUT, "V-163 L-061", "members.role[0]";
    v_163_keeps: overlay(&[2]), [base(&[2]), correction(&[1], &[2], &[0])];
    l_061_breaks_group_with: group(), [plain(), member()] => INVALID_LAYOUT, "V-163 L-061", "members.role[1]";
    l_061_breaks_overlay_without_any: overlay(&[2]), [block(&[2], &[2], &[0])]
        => INVALID_LAYOUT, "V-163 L-061", "members.role[0]";
    l_061_keeps_none_in_a_group: group(), [plain(), shard()];

    v_164_breaks_first: overlay(&[2]), [correction(&[2], &[2], &[0]), base(&[2])]
        => INVALID_LAYOUT, "V-164 L-062", "members.role[0]";
    v_164_breaks_later: overlay(&[2]), [base(&[2]), correction(&[1], &[2], &[1]), base(&[2])]
        => INVALID_LAYOUT, "V-164 L-062", "members.role[2]";
    v_164_keeps: overlay(&[2]), [base(&[2]), correction(&[2], &[2], &[0]), correction(&[2], &[2], &[0])];
    l_062_breaks_without_a_base: overlay(&[2]), [correction(&[2], &[2], &[0])]
        => INVALID_LAYOUT, "V-164 L-062", "members.role[0]";
    l_062_breaks_two_bases: overlay(&[2]), [base(&[2]), base(&[2])]
        => INVALID_LAYOUT, "V-164 L-062", "members.role[1]";
    l_062_keeps_a_base_alone: overlay(&[2]), [base(&[2])];

    v_165_breaks_offset: overlay(&[4]), [block(&[3], &[4], &[1]).member(1)]
        => INVALID_LAYOUT, "V-165 L-063", "members.shape[0]";
    v_165_breaks_shape: overlay(&[4]), [block(&[3], &[4], &[0]).member(1)]
        => INVALID_LAYOUT, "V-165 L-063", "members.shape[0]";
    v_165_keeps: overlay(&[4]), [block(&[4], &[4], &[0]).member(1)];
    // Nothing at all, but not where the head is.
    l_063_breaks_an_empty_offset: overlay(&[0, 4]), [block(&[0, 0], &[0, 4], &[0, 4]).member(1)]
        => INVALID_LAYOUT, "V-165 L-063", "members.shape[0]";
    l_063_breaks_the_last_axis: overlay(&[4, 4]), [block(&[4, 3], &[4, 4], &[0, 0]).member(1)]
        => INVALID_LAYOUT, "V-165 L-063", "members.shape[0]";
    l_063_keeps_an_empty_head: overlay(&[0, 4]), [base(&[0, 4])];
    l_063_keeps_a_scalar: overlay(&[]), [base(&[]), correction(&[], &[], &[])];

    v_166_breaks_gap: partition(&[5]), runs(5, [(0, 2), (3, 2)]) => INVALID_LAYOUT, "V-166 L-066", "gap";
    v_166_breaks_overlap: partition(&[5]), runs(5, [(0, 3), (2, 3)])
        => INVALID_LAYOUT, "V-166 L-066", "overlap";
    // As many elements as the head has.
    v_166_breaks_overlap_and_gap: partition(&[5]), runs(5, [(0, 3), (2, 2)])
        => INVALID_LAYOUT, "V-166 L-066", "overlap";
    v_166_breaks_one_box_twice: partition(&[4]), runs(4, [(0, 2), (0, 2)])
        => INVALID_LAYOUT, "V-166 L-066", "overlap";
    v_166_breaks_crossing_boxes: partition(&[2, 2]), [
        block(&[1, 2], &[2, 2], &[0, 0]), block(&[2, 1], &[2, 2], &[0, 0]),
    ] => INVALID_LAYOUT, "V-166 L-066", "overlap";
    v_166_breaks_without_members: partition(&[1]), [] => INVALID_LAYOUT, "V-166 L-066", "gap";
    v_166_breaks_a_scalar_twice: partition(&[]), [block(&[], &[], &[]), block(&[], &[], &[])]
        => INVALID_LAYOUT, "V-166 L-066", "overlap";
    v_166_keeps: partition(&[5]), runs(5, [(0, 2), (2, 3)]);
    v_166_keeps_any_order: partition(&[5]), runs(5, [(4, 1), (1, 3), (0, 1)]);
    v_166_keeps_overlaps_in_overlays_and_groups: overlay(&[4]),
        [base(&[4]), correction(&[3], &[4], &[0]), correction(&[3], &[4], &[1])];
    v_166_keeps_a_group_of_anything: group(), [shard(), shard()];

    // One box in the middle, four around it: no straight cut divides them.
    l_066_keeps_a_pinwheel: partition(&[5, 5]), pinwheel();
    l_066_breaks_a_pinwheel_without_its_middle: partition(&[5, 5]), {
        let [a, b, c, d, _] = pinwheel();
        [a, b, c, d]
    } => INVALID_LAYOUT, "V-166 L-066", "gap";
    l_066_breaks_a_pinwheel_out_of_place: partition(&[5, 5]), {
        let [a, b, c, d, _] = pinwheel();
        [a, b, c, d, block(&[1, 1], &[5, 5], &[0, 0])]
    } => INVALID_LAYOUT, "V-166 L-066", "overlap";
    l_066_keeps_a_pinwheel_of_three_axes: partition(&[3, 3, 2]), {
        let box_of = |shape: [u64; 2], offset: [u64; 2]| {
            block(&[shape[0], shape[1], 2], &[3, 3, 2], &[offset[0], offset[1], 0])
        };
        [
            box_of([1, 2], [0, 0]), box_of([2, 1], [0, 2]), box_of([1, 2], [2, 1]), box_of([2, 1], [1, 0]),
            box_of([1, 1], [1, 1]),
        ]
    };
    // Boxes without elements cover nothing, wherever they lie.
    l_066_keeps_empty_boxes: partition(&[4]), runs(4, [(2, 0), (0, 4), (2, 0), (4, 0)]);
    l_066_breaks_empty_boxes_alone: partition(&[4]), runs(4, [(0, 0), (2, 0)])
        => INVALID_LAYOUT, "V-166 L-066", "gap";
    l_066_keeps_an_empty_head: partition(&[0, 7]), [];
    l_066_keeps_an_empty_head_of_vast_extents: partition(&[1 << 63, 0, 1 << 63, 1 << 63]), [];
    l_066_keeps_an_empty_head_with_members: partition(&[0, 7]), [block(&[0, 3], &[0, 7], &[0, 2])];
    l_066_keeps_a_scalar: partition(&[]), [block(&[], &[], &[])];

    // 2^66 elements, a multiple of 2^64.
    l_066_keeps_2_pow_66_elements: partition(&WIDE), quarters(1 << 32);
    l_066_breaks_2_pow_66_elements_without_members: partition(&WIDE), []
        => INVALID_LAYOUT, "V-166 L-066", "gap";
    l_066_breaks_2_pow_66_elements_but_one: partition(&WIDE), [
        empty(&[(1 << 33) - 1, 1 << 33], &WIDE, &[0, 0]),
        empty(&[1, (1 << 33) - 1], &WIDE, &[(1 << 33) - 1, 0]),
    ] => INVALID_LAYOUT, "V-166 L-066", "gap";
    l_066_breaks_2_pow_66_elements_in_one_shift: partition(&WIDE), {
        let [a, b, c, _] = quarters(1 << 32);
        [a, b, c, empty(&[1 << 32, 1 << 32], &WIDE, &[(1 << 32) - 1, 1 << 32])]
    } => INVALID_LAYOUT, "V-166 L-066", "overlap";
    // 2^80 elements, of which a member has one.
    l_066_breaks_2_pow_80_elements: partition(&[1 << 40, 1 << 40]),
        [block(&[1, 1], &[1 << 40, 1 << 40], &[0, 0])]
        => INVALID_LAYOUT, "V-166 L-066", "gap";
    l_066_keeps_just_below_2_pow_128: partition(&EDGE), [
        empty(&[1 << 32, 1 << 32, 1 << 31, (1 << 32) - 1], &EDGE, &[0; 4]),
        empty(&[1 << 32, 1 << 32, 1 << 31, (1 << 32) - 1], &EDGE, &[0, 0, 1 << 31, 0]),
    ];
    l_066_breaks_2_pow_128: partition(&[1 << 32; 4]), [] => OVERFLOW, "L-066", "128 bits";
    l_066_breaks_2_pow_132: partition(&[1 << 33; 4]), [empty(&[1 << 33; 4], &[1 << 33; 4], &[0; 4])]
        => OVERFLOW, "L-066", "128 bits";
    l_066_breaks_a_sum_beyond_128_bits: partition(&EDGE),
        [empty(&EDGE, &EDGE, &[0; 4]), empty(&EDGE, &EDGE, &[0; 4])]
        => OVERFLOW, "L-066", "128 bits";

    // layouts.md section 13: Hilbert, tiled, Morton and COO side by side.
    l_066_keeps_the_example_of_a_partition: partition(&[6, 6]), [
        hilbert(2, 2, &[4, 4], 16).shard(&[6, 6], &[0, 0]),
        tiled(&[4, 2], &[2, 2], 8).shard(&[6, 6], &[0, 4]),
        morton(0x11, &[2, 4], &[1, 2], 12).shard(&[6, 6], &[4, 0]),
        empty(&[2, 2], &[6, 6], &[4, 4]),
    ];
    // Its overlay, whose second correction is column-major.
    v_165_keeps_the_example_of_an_overlay: overlay(&[4, 4]), [
        base(&[4, 4]),
        correction(&[2, 3], &[4, 4], &[0, 1]),
        correction(&[3, 2], &[4, 4], &[1, 1]).layout_tag(0x02),
    ];
}

rules! {
    // A box that leaves its parent never becomes a member: the descriptor alone is refused.
    l_059_breaks: [block(&[3], &[4], &[2]), block(&[4], &[4], &[1]), block(&[0], &[4], &[5])]
        => INVALID_DESCRIPTOR, "V-120 L-059", "", Shard(8);
    l_061_breaks_roles_that_are_none: [2u8, 255].map(|role| member().put(Member(0), role))
        => INVALID_DESCRIPTOR, "V-150 L-061", "role", Member(0);
}

const WIDE: [u64; 2] = [1 << 33, 1 << 33];
/// 2^128 - 2^96 elements.
const EDGE: [u64; 4] = [1 << 32, 1 << 32, 1 << 32, (1 << 32) - 1];

/// Four equal boxes of a square of twice the side.
fn quarters(side: u64) -> [Bytes; 4] {
    let parent = [2 * side, 2 * side];
    [[0, 0], [0, side], [side, 0], [side, side]].map(|offset| empty(&[side, side], &parent, &offset))
}

fn pinwheel() -> [Bytes; 5] {
    [([2, 3], [0, 0]), ([3, 2], [0, 3]), ([2, 3], [3, 2]), ([3, 2], [2, 0]), ([1, 1], [2, 2])]
        .map(|(shape, offset)| block(&shape, &[5, 5], &offset))
}

/// The extension section of [`private_float`].
fn private_section() -> Vec<u8> {
    let (own, sound) = (private_float().own(), private_float());
    own[sound.find(Ext(0)).unwrap()..sound.find(End).unwrap()].to_vec()
}

#[test]
fn l_060_keeps_a_quantized_member_of_each_floating_head() {
    for floating in (0x01..=0x04).chain(0x40..=0x46) {
        keeps(head(PARTITION, 0, 1, &[4]).type_tag(floating), [per_tensor().shard(&[4], &[0])]);
        keeps(
            head(OVERLAY, 2, 1, &[4]).type_tag(floating),
            [
                per_tensor().shard(&[4], &[0]).member(1),
                bytes_of(&[4], 64).type_tag(floating).shard(&[4], &[0]).member(0),
            ],
        );
    }
}

/// A uint8 partition of `[4]` whose halves are themselves partitions, each of two members.
fn nested(second_half: Bytes) -> (Bytes, [Item; 2]) {
    let half = |head: Bytes| {
        let members = runs(2, [(1, 1), (0, 1)]).map(Item::from);
        compose(&of(head, 2), &members).expect("a half")
    };
    let first = half(partition(&[2]).shard(&[4], &[0]));
    (of(partition(&[4]), 2), [first, half(second_half)])
}

#[test]
fn v_166_keeps_members_that_are_heads() {
    let (head, halves) = nested(partition(&[2]).shard(&[4], &[2]));
    compose(&head, &halves).unwrap();
    // A head and a tensor side by side.
    let [first, _] = halves;
    compose(&head, &[Item::from(block(&[2], &[4], &[2])), first]).unwrap();
}

#[test]
fn v_166_breaks_members_that_are_heads() {
    let (head, halves) = nested(partition(&[2]).shard(&[4], &[1]));
    refused(head, &halves, &Refused { status: INVALID_LAYOUT, rules: "V-166 L-066", place: "overlap" });
}

#[test]
fn v_160_breaks_a_member_that_is_a_head() {
    let (head, halves) = nested(partition(&[2]));
    let place = "members.shard[1]";
    refused(head, &halves, &Refused { status: INVALID_LAYOUT, rules: "V-160 L-057", place });
}

#[test]
fn v_162_breaks_a_member_that_is_a_head() {
    let group = compose(&of(group().shape(&[4]).shard(&[4], &[0]), 0), &[]).unwrap();
    let place = "members.element_type[0]";
    let wanted = Refused { status: INVALID_LAYOUT, rules: "V-162 L-060", place };
    refused(of(partition(&[4]), 1), &[group], &wanted);
}

fn count_differs(head: Bytes, declared: u32, members: &[Item]) {
    let wanted = Refused { status: INVALID_LAYOUT, rules: "V-167 L-065", place: "member_count" };
    refused(head.put(Payload(4), declared), members, &wanted);
}

#[test]
fn v_167_breaks_too_few() {
    count_differs(partition(&[4]), 2, &runs(4, [(0, 4)]).map(Item::from));
    count_differs(group(), 1, &[]);
}

#[test]
fn v_167_breaks_too_many() {
    count_differs(partition(&[4]), 1, &runs(4, [(0, 4), (4, 0)]).map(Item::from));
    count_differs(group(), 0, &[plain()].map(Item::from));
}

#[test]
fn v_167_keeps_the_declared_number() {
    keeps(group(), []);
    keeps(group(), [plain(), plain()]);
}

#[test]
fn l_065_breaks_any_other_number() {
    for declared in [0, 1, 2, 4, 0xFFFF_FFFE] {
        count_differs(group(), declared, &[plain(), scalar(), coo()].map(Item::from));
    }
    count_differs(overlay(&[2]), 3, &[base(&[2]), correction(&[1], &[2], &[0])].map(Item::from));
}

#[test]
fn l_065_keeps_each_rule() {
    keeps(partition(&[4]), runs(4, [(0, 4), (4, 0)]));
    keeps(overlay(&[2]), [base(&[2]), correction(&[1], &[2], &[0])]);
    keeps(group(), [plain(), scalar(), coo()]);
}

/// Heads inside each other, with nothing in the innermost.
fn tower(levels: usize, head: fn() -> Bytes) -> Item {
    let innermost = compose(&of(head().shape(&[0]).shard(&[0], &[0]), 0), &[]).unwrap();
    (1..levels)
        .fold(innermost, |inner, _| compose(&of(head().shape(&[0]).shard(&[0], &[0]), 1), &[inner]).unwrap())
}

fn too_deep(head: fn() -> Bytes) {
    let wanted = Refused { status: LIMIT_EXCEEDED, rules: "V-168 L-064", place: "depth" };
    let outermost = head().shape(&[0]);
    refused(of(outermost.clone(), 1), &[tower(8, head)], &wanted);
    // Among flat members too.
    let flat = block(&[0], &[0], &[0]);
    refused(of(outermost, 2), &[Item::from(flat), tower(8, head)], &wanted);
}

#[test]
fn v_168_breaks_level_nine() {
    too_deep(group);
}

#[test]
fn v_168_keeps_level_eight() {
    compose(&of(group(), 2), &[tower(7, group), Item::from(plain())]).unwrap();
}

#[test]
fn l_064_breaks_level_nine_of_partitions() {
    too_deep(|| partition(&[]));
}

#[test]
fn l_064_breaks_heads_in_an_overlay() {
    let inner = || {
        compose(&of(partition(&[2]).shard(&[2], &[0]), 1), &[Item::from(block(&[2], &[2], &[0]))]).unwrap()
    };
    let wanted = |place| Refused { status: INVALID_LAYOUT, rules: "L-064", place };
    refused(of(overlay(&[2]), 1), &[inner()], &wanted("[0]"));
    refused(of(overlay(&[2]), 2), &[Item::from(base(&[2])), inner()], &wanted("[1]"));
}

#[test]
fn l_064_keeps_an_overlay_inside_a_partition() {
    let members = [base(&[2]), correction(&[1], &[2], &[1])].map(Item::from);
    let inner = compose(&of(overlay(&[2]).shard(&[3], &[1]), 2), &members).unwrap();
    compose(&of(partition(&[3]), 2), &[inner, Item::from(block(&[1], &[3], &[0]))]).unwrap();
}

/// 100 by 200 boxes of `[3,5]`, in an order that jumps about; one may lie where another does.
fn mosaic(double: Option<u64>) -> Vec<Item> {
    let at = |n: u64| {
        // 7919 shares no factor with 20,000.
        let k = n * 7919 % 20_000;
        let k = if Some(k) == double { (k + 1) % 20_000 } else { k };
        Item::from(block(&[3, 5], &[300, 1000], &[k / 200 * 3, k % 200 * 5]))
    };
    (0..20_000).map(at).collect()
}

#[test]
fn v_166_keeps_20_000_members() {
    compose(&of(partition(&[300, 1000]), 20_000), &mosaic(None)).unwrap();
}

#[test]
fn v_166_breaks_20_000_members_of_which_two_are_one() {
    let wanted = Refused { status: INVALID_LAYOUT, rules: "V-166 L-066", place: "overlap" };
    refused(of(partition(&[300, 1000]), 20_000), &mosaic(Some(12_345)), &wanted);
}
