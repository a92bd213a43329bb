// Compiled, not run: the declarations say what they should, under --strict.
import { Composite, DescriptorItem, File, HurrayError, StreamReader, Tensor, open, readStream, save, type Layout, type View } from 'hurray';

export async function use(): Promise<void> {
  const tensor: Tensor = Tensor.from(new Float32Array(6), { shape: [2, 3n] });
  const view: View = tensor.view({ copy: true });
  const strides: readonly number[] = view.strides;
  const layout: Layout = tensor.layout;
  if (layout.name === 'strided') layout.strides.map((stride: number) => stride);
  if (layout.name === 'csr') layout.nnz.toString(2);
  // @ts-expect-error a row-major layout has no strides
  if (layout.name === 'row_major') layout.strides;
  // @ts-expect-error a shape is an array
  Tensor.from(new Float32Array(6), { shape: 6 });
  await save('a', { a: tensor }, { kv: { n: 1n, empty: { kind: 'string', value: [] } } });
  const file: File = await open('a');
  const size: bigint = file.range('a').size;
  for await (const item of readStream([new Uint8Array()])) {
    if (item instanceof Composite) item.members.length.toFixed();
    else item.shape.map((extent: number) => extent);
  }
  for await (const item of readStream([], { crossMachine: true, maxBufferBytes: 9 })) item satisfies Tensor | Composite;
  for await (const item of readStream([], { maxBufferBytes: 9 })) item satisfies Tensor | Composite;
  for await (const item of readStream([], { permissive: false })) item satisfies Tensor | Composite;
  for await (const item of readStream([], { permissive: true })) item satisfies Tensor | Composite | DescriptorItem;
  // @ts-expect-error descriptors may come alone
  for await (const item of readStream([], { flat: true })) item satisfies Tensor | Composite;
  const plain = new StreamReader().next() satisfies Tensor | Composite | null;
  const { signal } = new AbortController();
  const rows: Tensor = await tensor.toLayout(null, { signal, onProgress: (done: bigint, total: bigint) => void [done, total] });
  // @ts-expect-error what works at once takes no signal
  tensor.toLayoutSync(null, { signal });
  const part: Tensor = rows.slice([[0, 1], null, [null, null, -1]]);
  const written: bigint = await rows.scatter(part, [1, 2n], { threads: 0 });
  const error = new HurrayError('', 'HURRAY_ERR_IO', -1, 2);
  const errno: number | undefined = error.errno;
  void [strides, size, errno, written, plain];
}
