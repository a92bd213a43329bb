// Calls that run on a thread of the pool, under a signal, and with reports of how far they are.
import type { NativeOptions } from './addon';
import { HurrayError } from './error';
import { native } from './native';
import { type Pair, settings } from './options';

/** What a call on a thread of the pool may be given. */
export interface RunOptions {
  /** Stops the call, whose promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Is told from time to time, and once at the end, how many bytes are done of how many (0 until that is known). What
   * it throws stops the call, whose promise is then rejected with it.
   */
  readonly onProgress?: (done: bigint, total: bigint) => void;
}

/** Milliseconds between two reports. */
const PERIOD = 100;

/** @internal Options of hurray.h for a call that nothing stops. */
export function options(pairs: readonly Pair[]): NativeOptions {
  return new native.NativeOptions(settings(pairs));
}

async function watched<T>(promise: Promise<T>, running: NativeOptions, given: RunOptions): Promise<T> {
  const { signal, onProgress } = given;
  let thrown: { readonly error: unknown } | undefined;
  const stop = (): void => running.cancel();
  const report = (): void => {
    if (!onProgress || thrown) return;
    try {
      onProgress(...running.progress());
    } catch (error) {
      thrown = { error };
      stop();
    }
  };
  signal?.addEventListener('abort', stop);
  const timer = onProgress && setInterval(report, PERIOD);
  try {
    const made = await promise;
    report();
    if (!thrown) return made;
  } catch (error) {
    const cancelled = error instanceof HurrayError && error.code === 'HURRAY_ERR_CANCELLED';
    if (!thrown) throw cancelled && signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', stop);
    clearInterval(timer);
  }
  throw thrown.error;
}

/** @internal Starts a call on a thread of the pool. */
export function run<T>(
  given: RunOptions,
  pairs: readonly Pair[],
  start: (running: NativeOptions) => Promise<T>,
): Promise<T> {
  if (given.signal?.aborted) return Promise.reject(given.signal.reason as Error);
  const running = options(pairs);
  const promise = start(running);
  return given.signal || given.onProgress ? watched(promise, running, given) : promise;
}
