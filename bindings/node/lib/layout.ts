import { C } from './constants';
import { FieldWriter, Fields } from './fields';
import { tagOf } from './tag';

/** Tiles, each contiguous; a tile may be tiled again (`inner`). Strides are in tiles outside, in elements inside. */
export interface Tile {
  readonly tileShape: readonly number[];
  readonly outerLayout: string;
  readonly innerLayout: string;
  readonly outerStrides?: readonly number[];
  readonly innerStrides?: readonly number[];
  readonly inner?: Tile;
}

/** How elements lie in their buffers; `name` says which layout it is. Strides are in elements. */
export type Layout =
  | { readonly name: 'row_major' }
  | { readonly name: 'column_major' }
  | { readonly name: 'strided'; readonly strides: readonly number[] }
  | ({ readonly name: 'tiled' } & Tile)
  | { readonly name: 'morton'; readonly bits: readonly number[] }
  | { readonly name: 'hilbert'; readonly order: number; readonly rank: number }
  | { readonly name: 'coo'; readonly nnz: bigint; readonly isSorted: boolean }
  | { readonly name: 'csr'; readonly nnz: bigint }
  | { readonly name: 'csc'; readonly nnz: bigint }
  | { readonly name: 'csf'; readonly nnz: bigint; readonly modeOrder: readonly number[] }
  | {
      readonly name: 'block_paged';
      readonly pageSize: bigint;
      readonly numPages: bigint;
      readonly pagedAxis: number;
      readonly numSeqs: bigint;
      readonly kvRole: string;
      readonly layerIndex?: number;
      readonly blockTableIndexType: 'uint32' | 'uint64';
    }
  | { readonly name: 'composite'; readonly rule: string; readonly combineOp: string; readonly memberCount: number }
  | { readonly name: 'private'; readonly tag: number; readonly id: bigint; readonly data: Uint8Array }
  | { readonly name: 'unknown'; readonly tag: number; readonly data: Uint8Array };

function readTile(fields: Fields, level: number, depth: number): Tile {
  const outer = fields.get(C.LAYOUT_FIELD_TILED_OUTER_STRIDES, level);
  const inner = fields.get(C.LAYOUT_FIELD_TILED_INNER_STRIDES, level);
  return {
    tileShape: fields.numbers(C.LAYOUT_FIELD_TILED_TILE_SHAPE, level),
    outerLayout: fields.name(C.LAYOUT_FIELD_TILED_OUTER_LAYOUT, C.SPACE_LAYOUT, level),
    innerLayout: fields.name(C.LAYOUT_FIELD_TILED_INNER_LAYOUT, C.SPACE_LAYOUT, level),
    ...(outer === undefined ? {} : { outerStrides: fields.numbers(C.LAYOUT_FIELD_TILED_OUTER_STRIDES, level) }),
    ...(inner === undefined ? {} : { innerStrides: fields.numbers(C.LAYOUT_FIELD_TILED_INNER_STRIDES, level) }),
    ...(level + 1 < depth ? { inner: readTile(fields, level + 1, depth) } : {}),
  };
}

const readers: Readonly<Record<number, (fields: Fields) => Layout>> = {
  [C.LAYOUT_ROW_MAJOR]: () => ({ name: 'row_major' }),
  [C.LAYOUT_COLUMN_MAJOR]: () => ({ name: 'column_major' }),
  [C.LAYOUT_STRIDED]: (f) => ({ name: 'strided', strides: f.numbers(C.LAYOUT_FIELD_STRIDED_STRIDES) }),
  [C.LAYOUT_TILED]: (f) => ({ name: 'tiled', ...readTile(f, 0, f.number(C.LAYOUT_FIELD_TILED_DEPTH)) }),
  [C.LAYOUT_MORTON]: (f) => ({ name: 'morton', bits: f.numbers(C.LAYOUT_FIELD_MORTON_BITS) }),
  [C.LAYOUT_HILBERT]: (f) => ({
    name: 'hilbert',
    order: f.number(C.LAYOUT_FIELD_HILBERT_ORDER),
    rank: f.number(C.LAYOUT_FIELD_HILBERT_RANK),
  }),
  [C.LAYOUT_COO]: (f) => ({
    name: 'coo',
    nnz: f.big(C.LAYOUT_FIELD_COO_NNZ),
    isSorted: f.big(C.LAYOUT_FIELD_COO_IS_SORTED) !== 0n,
  }),
  [C.LAYOUT_CSR]: (f) => ({ name: 'csr', nnz: f.big(C.LAYOUT_FIELD_CSR_NNZ) }),
  [C.LAYOUT_CSC]: (f) => ({ name: 'csc', nnz: f.big(C.LAYOUT_FIELD_CSC_NNZ) }),
  [C.LAYOUT_CSF]: (f) => ({
    name: 'csf',
    nnz: f.big(C.LAYOUT_FIELD_CSF_NNZ),
    modeOrder: f.numbers(C.LAYOUT_FIELD_CSF_MODE_ORDER),
  }),
  [C.LAYOUT_BLOCK_PAGED]: (f) => ({
    name: 'block_paged',
    pageSize: f.big(C.LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE),
    numPages: f.big(C.LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES),
    pagedAxis: f.number(C.LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS),
    numSeqs: f.big(C.LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS),
    kvRole: f.name(C.LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, C.SPACE_KV_ROLE),
    ...(f.has(C.LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX)
      ? { layerIndex: f.number(C.LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX) }
      : {}),
    blockTableIndexType: f.big(C.LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE) === 0n ? 'uint32' : 'uint64',
  }),
  [C.LAYOUT_COMPOSITE]: (f) => ({
    name: 'composite',
    rule: f.name(C.LAYOUT_FIELD_COMPOSITE_RULE, C.SPACE_COMPOSITION_RULE),
    combineOp: f.name(C.LAYOUT_FIELD_COMPOSITE_COMBINE_OP, C.SPACE_COMBINE_OP),
    memberCount: f.number(C.LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT),
  }),
};

/** The layout of a descriptor's fields. */
export function readLayout(fields: Fields): Layout {
  const tag = fields.number(C.HEADER_FIELD_LAYOUT);
  const read = readers[tag];
  if (read) return read(fields);
  if (fields.has(C.LAYOUT_FIELD_PRIVATE_LAYOUT_ID)) {
    const id = fields.big(C.LAYOUT_FIELD_PRIVATE_LAYOUT_ID);
    return { name: 'private', tag, id, data: fields.bytes(C.LAYOUT_FIELD_PRIVATE_DATA) };
  }
  return { name: 'unknown', tag, data: fields.bytes(C.LAYOUT_FIELD_UNKNOWN_DATA) };
}

function writeTile(out: FieldWriter, tile: Tile, level: number): void {
  out.us(C.LAYOUT_FIELD_TILED_TILE_SHAPE, tile.tileShape, 'tileShape', level);
  out.tag(C.LAYOUT_FIELD_TILED_OUTER_LAYOUT, C.SPACE_LAYOUT, tile.outerLayout, level);
  out.tag(C.LAYOUT_FIELD_TILED_INNER_LAYOUT, C.SPACE_LAYOUT, tile.innerLayout, level);
  if (tile.outerStrides) out.is(C.LAYOUT_FIELD_TILED_OUTER_STRIDES, tile.outerStrides, 'outerStrides', level);
  if (tile.innerStrides) out.is(C.LAYOUT_FIELD_TILED_INNER_STRIDES, tile.innerStrides, 'innerStrides', level);
  if (tile.inner) writeTile(out, tile.inner, level + 1);
}

/** The tag of a layout. */
export function layoutTag(layout: Layout): number {
  return layout.name === 'private' || layout.name === 'unknown' ? layout.tag : tagOf(C.SPACE_LAYOUT, layout.name);
}

/** Writes a layout's own fields. */
export function writeLayout(out: FieldWriter, layout: Layout): void {
  switch (layout.name) {
    case 'row_major':
    case 'column_major':
      return;
    case 'strided':
      out.is(C.LAYOUT_FIELD_STRIDED_STRIDES, layout.strides, 'strides');
      return;
    case 'tiled':
      writeTile(out, layout, 0);
      return;
    case 'morton':
      out.us(C.LAYOUT_FIELD_MORTON_BITS, layout.bits, 'bits');
      return;
    case 'hilbert':
      out.u(C.LAYOUT_FIELD_HILBERT_ORDER, layout.order, 'order').u(C.LAYOUT_FIELD_HILBERT_RANK, layout.rank, 'rank');
      return;
    case 'coo':
      out.u(C.LAYOUT_FIELD_COO_NNZ, layout.nnz, 'nnz').u(C.LAYOUT_FIELD_COO_IS_SORTED, layout.isSorted, 'isSorted');
      return;
    case 'csr':
      out.u(C.LAYOUT_FIELD_CSR_NNZ, layout.nnz, 'nnz');
      return;
    case 'csc':
      out.u(C.LAYOUT_FIELD_CSC_NNZ, layout.nnz, 'nnz');
      return;
    case 'csf':
      out.u(C.LAYOUT_FIELD_CSF_NNZ, layout.nnz, 'nnz');
      out.us(C.LAYOUT_FIELD_CSF_MODE_ORDER, layout.modeOrder, 'modeOrder');
      return;
    case 'block_paged':
      out
        .u(C.LAYOUT_FIELD_BLOCK_PAGED_PAGE_SIZE, layout.pageSize, 'pageSize')
        .u(C.LAYOUT_FIELD_BLOCK_PAGED_NUM_PAGES, layout.numPages, 'numPages')
        .u(C.LAYOUT_FIELD_BLOCK_PAGED_PAGED_AXIS, layout.pagedAxis, 'pagedAxis')
        .u(C.LAYOUT_FIELD_BLOCK_PAGED_NUM_SEQS, layout.numSeqs, 'numSeqs')
        .tag(C.LAYOUT_FIELD_BLOCK_PAGED_KV_ROLE, C.SPACE_KV_ROLE, layout.kvRole)
        .u(C.LAYOUT_FIELD_BLOCK_PAGED_BLOCK_TABLE_INDEX_TYPE, layout.blockTableIndexType === 'uint64', 'blockTableIndexType');
      if (layout.layerIndex !== undefined) {
        out.u(C.LAYOUT_FIELD_BLOCK_PAGED_LAYER_INDEX, layout.layerIndex, 'layerIndex');
      }
      return;
    case 'composite':
      out
        .tag(C.LAYOUT_FIELD_COMPOSITE_RULE, C.SPACE_COMPOSITION_RULE, layout.rule)
        .tag(C.LAYOUT_FIELD_COMPOSITE_COMBINE_OP, C.SPACE_COMBINE_OP, layout.combineOp)
        .u(C.LAYOUT_FIELD_COMPOSITE_MEMBER_COUNT, layout.memberCount, 'memberCount');
      return;
    case 'private':
      out.u(C.LAYOUT_FIELD_PRIVATE_LAYOUT_ID, layout.id, 'id').b(C.LAYOUT_FIELD_PRIVATE_DATA, layout.data);
      return;
    case 'unknown':
      out.b(C.LAYOUT_FIELD_UNKNOWN_DATA, layout.data);
      return;
  }
}
