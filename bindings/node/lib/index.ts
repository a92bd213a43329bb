/** Hurray: tensors that cross between languages without being copied. */
export type { CopyOption, FromArrayOptions, View } from './array';
export { Descriptor, type BufferEntry, type DescriptorParts } from './descriptor';
export { elementType, type ElementType, type TypedArray } from './element';
export { HurrayError } from './error';
export { File, FileWriter, open, openSync, save, saveSync, type OpenOptions, type SaveOptions } from './file';
export { Composite, DescriptorItem, type Item, type Part } from './item';
export type { KvInput, KvKind, KvScalar, KvValue } from './kv';
export type { Layout, Tile } from './layout';
export { abiVersion, allowExternalBuffers, libraryPath, liveHandles } from './library';
export { version } from './native';
export type { Quantization } from './quantization';
export type { RunOptions } from './run';
export type { ExtensionType, Shard, Statistics } from './sections';
export type { Range } from './slice';
export {
  StreamReader,
  StreamWriter,
  readStream,
  streamChunks,
  writeStream,
  type ReadOptions,
  type WriteOptions,
} from './stream';
export { Tensor, exportSymbol, type ConvertOptions, type ConvertSyncOptions, type TensorParts } from './tensor';
