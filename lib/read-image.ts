/** The kinds of images that are read. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** What an image says of itself. */
export interface ImageFacts {
  type: ImageType;
  /** Pixels. */
  width: number;
  height: number;
  /** Bytes of the image; whatever follows them is no part of it. */
  length: number;
}
type Size = Omit<ImageFacts, 'type'>;

const DAMAGED = 'is damaged or cut off';

/** The bytes of an image. Throws RangeError where it ends too early. */
class Source {
  constructor(readonly bytes: Buffer) {}

  /** Throws RangeError unless there are bytes up to `end`. */
  need(end: number): void {
    if (end > this.bytes.length) throw new RangeError(DAMAGED);
  }

  byte(at: number): number {
    this.need(at + 1);
    return this.bytes.readUInt8(at);
  }

  big(at: number, size: 2 | 4): number {
    this.need(at + size);
    return this.bytes.readUIntBE(at, size);
  }

  little(at: number, size: 2 | 3 | 4): number {
    this.need(at + size);
    return this.bytes.readUIntLE(at, size);
  }

  /** Four letters. */
  kind(at: number): string {
    this.need(at + 4);
    return this.bytes.toString('latin1', at, at + 4);
  }
}

/**
 * Reads an image by its first bytes, and walks through its parts to its end. Throws RangeError for any other file, SVG
 * among them, and for one that ends before the image does. Pixels are not decoded.
 */
export function readImage(bytes: Buffer): ImageFacts {
  const source = new Source(bytes);
  const type = typeOf(bytes);
  if (type === null) throw new RangeError('is not a PNG, JPEG, GIF or WebP image');
  const size = READERS[type](source);
  if (size.width < 1 || size.height < 1) throw new RangeError(DAMAGED);
  return { type, ...size };
}

function typeOf(bytes: Buffer): ImageType | null {
  const begins = (text: string, at = 0): boolean => bytes.toString('latin1', at, at + text.length) === text;
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begins('\xff\xd8\xff')) return 'image/jpeg';
  if (begins('GIF87a') || begins('GIF89a')) return 'image/gif';
  return begins('RIFF') && begins('WEBP', 8) ? 'image/webp' : null;
}

const READERS: Readonly<Record<ImageType, (source: Source) => Size>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/gif': readGif,
  'image/webp': readWebp,
};

/** Chunks: length, four letters, content, checksum. */
function readPng(source: Source): Size {
  if (source.kind(12) !== 'IHDR' || source.big(8, 4) !== 13) throw new RangeError(DAMAGED);
  const size = { width: source.big(16, 4), height: source.big(20, 4) };
  for (let at = 8, hasPixels = false; ;) {
    const kind = source.kind(at + 4);
    const end = at + 12 + source.big(at, 4);
    source.need(end);
    hasPixels ||= kind === 'IDAT';
    if (kind === 'IEND' && hasPixels) return { ...size, length: end };
    if (kind === 'IEND') throw new RangeError(DAMAGED);
    at = end;
  }
}

/** Markers that stand alone, without a length. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
/** The start of a frame, which has the size: C0 to CF but C4, C8 and CC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readJpeg(source: Source): Size {
  let size: { width: number; height: number } | null = null;
  let hasPixels = false;
  for (let at = 2; ;) {
    if (source.byte(at) !== 0xff) throw new RangeError(DAMAGED);
    while (source.byte(at) === 0xff) at += 1;
    const marker = source.byte(at);
    at += 1;
    if (marker === 0xd9 && size && hasPixels) return { ...size, length: at };
    if (marker === 0xd9) throw new RangeError(DAMAGED);
    if (isBare(marker)) continue;
    if (isFrame(marker)) size = { height: source.big(at + 3, 2), width: source.big(at + 5, 2) };
    at += Math.max(source.big(at, 2), 2);
    if (marker !== 0xda) continue;
    hasPixels = true;
    at = endOfScan(source, at);
  }
}

/** Where the compressed pixels end: at the next marker that is neither an escaped byte nor one within them. */
function endOfScan({ bytes }: Source, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && !isBare(next)) return at;
  }
  throw new RangeError(DAMAGED);
}

/** Bytes of a table of colours, as its flags say. */
const tableSize = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

function readGif(source: Source): Size {
  const size = { width: source.little(6, 2), height: source.little(8, 2) };
  for (let at = 13 + tableSize(source.byte(10)), hasPixels = false; ;) {
    const kind = source.byte(at);
    if (kind === 0x3b && hasPixels) return { ...size, length: at + 1 };
    if (kind === 0x21) at = endOfBlocks(source, at + 2);
    else if (kind === 0x2c) {
      at = endOfBlocks(source, at + 11 + tableSize(source.byte(at + 9)));
      hasPixels = true;
    } else throw new RangeError(DAMAGED);
  }
}

/** Blocks that each begin with their length; an empty one ends them. */
function endOfBlocks(source: Source, from: number): number {
  let at = from;
  for (let length = -1; length !== 0; at += 1 + length) length = source.byte(at);
  return at;
}

/** Chunks within one: four letters, length, content, which is padded to an even length. */
function readWebp(source: Source): Size {
  const length = 8 + source.little(4, 4);
  source.need(length);
  const size = webpSize(source);
  for (let at = 12, hasPixels = false; ;) {
    if (at + 8 > length && hasPixels) return { ...size, length };
    if (at + 8 > length) throw new RangeError(DAMAGED);
    hasPixels ||= ['VP8 ', 'VP8L', 'ANMF'].includes(source.kind(at));
    const chunk = source.little(at + 4, 4);
    at += 8 + chunk + (chunk % 2);
    if (at > length) throw new RangeError(DAMAGED);
  }
}

/** The size, which the first chunk has, in its own way. */
function webpSize(source: Source): { width: number; height: number } {
  const kind = source.kind(12);
  if (kind === 'VP8X') return { width: source.little(24, 3) + 1, height: source.little(27, 3) + 1 };
  if (kind === 'VP8 ' && source.little(23, 3) === 0x2a019d) {
    return { width: source.little(26, 2) & 0x3fff, height: source.little(28, 2) & 0x3fff };
  }
  if (kind === 'VP8L' && source.byte(20) === 0x2f) {
    const bits = source.little(21, 4);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  throw new RangeError(DAMAGED);
}
