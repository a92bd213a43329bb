/** What every failed call throws: the library's status, by name and number, and its text. */
export class HurrayError extends Error {
  override readonly name = 'HurrayError';
  /** The operating system's error number, where it was the system that failed. */
  readonly errno?: number;

  constructor(
    message: string,
    /** The status's name, such as `HURRAY_ERR_INVALID_LAYOUT`. */
    readonly code: string,
    /** The status's number, always negative. */
    readonly status: number,
    errno?: number | null,
  ) {
    super(message);
    if (typeof errno === 'number') this.errno = errno;
  }
}
