// The JSON forms of the adapter protocol.

/** The digits of a double. */
export function real(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString('hex');
}

/** A double of its digits. */
export const fromReal = (text) => Buffer.from(text, 'hex').readDoubleBE();

/** A tag: its name, or its number if the package had to make up a name. */
export const tag = (name) => (/^private_[0-9a-f]{2}$/.test(name) ? parseInt(name.slice(8), 16) : name);

/** The package's name of a tag in its JSON form. */
export const fromTag = (given) => (typeof given === 'number' ? `private_${given.toString(16).padStart(2, '0')}` : given);

export const wides = (values) => Array.from(values, String);
export const bytesOf = (hex) => Buffer.from(hex, 'hex');
export const hexOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
