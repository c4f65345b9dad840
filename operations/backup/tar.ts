/** Bytes of a tar header, and of the blocks that contents are padded to. */
export const BLOCK = 512;
/** From this size on a size no longer fits its octal digits. */
const OCTAL_LIMIT = 8 ** 11;

/** A file of a tar archive. */
export interface TarEntry {
  name: string;
  /** Bytes. */
  size: number;
}

/** The zero bytes behind contents of this size. */
export const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** The two empty blocks at the end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** The header of a file with mode 0600, in the ustar format; `mtime` in seconds. The name has at most 100 bytes. */
export function tarHeader({ name, size }: TarEntry, mtime: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): void =>
    void header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  header.write(name, 0, 100, 'utf8');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  if (size < OCTAL_LIMIT) octal(size, 124, 12);
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  octal(mtime, 136, 12);
  header.write('0', 156, 'latin1');
  header.write('ustar\0' + '00', 257, 'latin1');
  octal(checksum(header), 148, 7);
  header.write(' ', 155, 'latin1');
  return header;
}

/** Reads a header; null for an empty block, the end of the archive. Throws RangeError when it is none. */
export function readTarHeader(header: Buffer): TarEntry | null {
  if (header.every((byte) => byte === 0)) return null;
  const text = (at: number, length: number): string => header.toString('utf8', at, at + length).replace(/\0[^]*$/, '');
  const stored = Number.parseInt(text(148, 8), 8);
  if (header.length !== BLOCK || stored !== checksum(header)) throw new RangeError('not a tar header');
  const large = ((header[124] ?? 0) & 0x80) !== 0;
  const size = large ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError('an impossible size');
  return { name: text(0, 100), size };
}

/** The sum of the bytes, with spaces in place of the checksum. */
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}
