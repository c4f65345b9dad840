import { crc32 } from 'node:zlib';
import { Reason, ValueError } from './reason';
import { orientationIn, orientationOnly } from './orientation';

/** The kinds of images that are read. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** What an image says of itself. */
export interface ImageFacts {
  type: ImageType;
  /** Pixels. */
  width: number;
  height: number;
  /**
   * Its bytes without what its pixels do not need: place, time, camera and texts (EXIF, XMP, IPTC, comments), and
   * whatever follows the image. How it is turned stays.
   */
  content: Buffer;
}
interface Size {
  width: number;
  height: number;
  /** Bytes of the image. */
  length: number;
}
/** Bytes that others take the place of. */
interface Edit {
  from: number;
  to: number;
  by: Buffer;
}
const NOTHING = Buffer.alloc(0);
const EXIF = 'Exif\0\0';

const KINDS = ['is not a PNG, JPEG, GIF or WebP image', 'bukan gambar PNG, JPEG, GIF, atau WebP'] as const;
const DAMAGED = new Reason('damaged', ['is damaged or cut off', 'rusak atau terpotong']);

/** The bytes of an image. Throws ValueError where it ends too early. */
class Source {
  readonly edits: Edit[] = [];
  isTurned = false;

  constructor(readonly bytes: Buffer) {}

  /** Leaves out a part. */
  drop(from: number, to: number): void {
    this.edits.push({ from, to, by: NOTHING });
  }

  /** Leaves out a part with EXIF data; what says how the picture is turned stays, as `part` frames it. */
  dropExif(from: number, to: number, exif: Buffer, part: (exif: Buffer) => Buffer): void {
    const orientation = this.isTurned ? null : orientationIn(exif);
    if (orientation === null) return this.drop(from, to);
    this.isTurned = true;
    this.edits.push({ from, to, by: part(orientationOnly(orientation)) });
  }

  /** The image up to its end, with the edits. */
  edited(length: number): Buffer {
    let at = 0;
    const parts = this.edits
      .toSorted((a, b) => a.from - b.from)
      .flatMap(({ from, to, by }) => {
        const before = this.bytes.subarray(at, from);
        at = to;
        return [before, by];
      });
    return Buffer.concat([...parts, this.bytes.subarray(at, length)]);
  }

  /** Throws ValueError unless there are bytes up to `end`. */
  need(end: number): void {
    if (end > this.bytes.length) throw new ValueError(DAMAGED);
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
 * Reads an image by its first bytes, and walks through its parts to its end. Throws ValueError for any other file, SVG
 * among them, and for one that ends before the image does. Pixels are not decoded (docs/campaigns.md#images).
 */
export function readImage(bytes: Buffer): ImageFacts {
  const source = new Source(bytes);
  const type = typeOf(bytes);
  if (type === null) throw new ValueError(new Reason('no_image', KINDS));
  const { width, height, length } = READERS[type](source);
  if (width < 1 || height < 1) throw new ValueError(DAMAGED);
  return { type, width, height, content: source.edited(length) };
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

/** The chunks of PNG that pixels need: the critical ones, those of colours and sizes, and those of moving images. */
const PNG_CHUNKS =
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' ');

const exifOfPng = (exif: Buffer): Buffer => {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('eXIf'), exif, Buffer.alloc(4)]);
  chunk.writeUInt32BE(exif.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
};

/** Chunks: length, four letters, content, checksum. */
function readPng(source: Source): Size {
  if (source.kind(12) !== 'IHDR' || source.big(8, 4) !== 13) throw new ValueError(DAMAGED);
  const size = { width: source.big(16, 4), height: source.big(20, 4) };
  for (let at = 8, hasPixels = false; ;) {
    const kind = source.kind(at + 4);
    const end = at + 12 + source.big(at, 4);
    source.need(end);
    hasPixels ||= kind === 'IDAT';
    if (kind === 'eXIf') source.dropExif(at, end, source.bytes.subarray(at + 8, end - 4), exifOfPng);
    else if (!PNG_CHUNKS.includes(kind)) source.drop(at, end);
    if (kind === 'IEND' && hasPixels) return { ...size, length: end };
    if (kind === 'IEND') throw new ValueError(DAMAGED);
    at = end;
  }
}

/** Markers that stand alone, without a length. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
/** The start of a frame, which has the size: C0 to CF but C4, C8 and CC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const exifOfJpeg = (exif: Buffer): Buffer => {
  const segment = Buffer.concat([Buffer.from('\xff\xe1\0\0', 'latin1'), Buffer.from(EXIF), exif]);
  segment.writeUInt16BE(segment.length - 2, 2);
  return segment;
};

/** Leaves out a segment for programs, and a comment; what says how colours are meant stays. */
function cleanJpeg(source: Source, marker: number, { from, start, to }: { from: number; start: number; to: number }) {
  if (marker !== 0xfe && (marker & 0xf0) !== 0xe0) return;
  source.need(to);
  const content = source.bytes.subarray(start, to);
  const begins = (text: string): boolean => content.toString('latin1', 0, text.length) === text;
  if (marker === 0xe0 && begins('JFIF\0')) return;
  if (marker === 0xe2 && begins('ICC_PROFILE\0')) return;
  if (marker === 0xee && begins('Adobe')) return;
  if (marker === 0xe1 && begins(EXIF)) source.dropExif(from, to, content.subarray(EXIF.length), exifOfJpeg);
  else source.drop(from, to);
}

function readJpeg(source: Source): Size {
  let size: { width: number; height: number } | null = null;
  let hasPixels = false;
  for (let at = 2; ;) {
    const from = at;
    if (source.byte(at) !== 0xff) throw new ValueError(DAMAGED);
    while (source.byte(at) === 0xff) at += 1;
    const marker = source.byte(at);
    at += 1;
    if (marker === 0xd9 && size && hasPixels) return { ...size, length: at };
    if (marker === 0xd9) throw new ValueError(DAMAGED);
    if (isBare(marker)) continue;
    if (isFrame(marker)) size = { height: source.big(at + 3, 2), width: source.big(at + 5, 2) };
    const start = at + 2;
    at += Math.max(source.big(at, 2), 2);
    cleanJpeg(source, marker, { from, start, to: at });
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
  throw new ValueError(DAMAGED);
}

/** Bytes of a table of colours, as its flags say. */
const tableSize = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

function readGif(source: Source): Size {
  const size = { width: source.little(6, 2), height: source.little(8, 2) };
  for (let at = 13 + tableSize(source.byte(10)), hasPixels = false; ;) {
    const kind = source.byte(at);
    if (kind === 0x3b && hasPixels) return { ...size, length: at + 1 };
    if (kind === 0x21) {
      const from = at;
      at = endOfBlocks(source, at + 2);
      if (isTextOfGif(source, from)) source.drop(from, at);
    } else if (kind === 0x2c) {
      at = endOfBlocks(source, at + 11 + tableSize(source.byte(at + 9)));
      hasPixels = true;
    } else throw new ValueError(DAMAGED);
  }
}

/** True for a comment, and for XMP. */
const isTextOfGif = ({ bytes }: Source, at: number): boolean =>
  bytes[at + 1] === 0xfe || (bytes[at + 1] === 0xff && bytes.toString('latin1', at + 3, at + 14) === 'XMP DataXMP');

/** Blocks that each begin with their length; an empty one ends them. */
function endOfBlocks(source: Source, from: number): number {
  let at = from;
  for (let length = -1; length !== 0; at += 1 + length) length = source.byte(at);
  return at;
}

const WEBP_CHUNKS = ['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'];
const exifOfWebp = (exif: Buffer): Buffer => {
  const head = Buffer.from('EXIF\0\0\0\0');
  head.writeUInt32LE(exif.length, 4);
  return Buffer.concat([head, exif]);
};

function cleanWebp(source: Source, from: number, { content, to }: { content: Buffer; to: number }): void {
  const kind = source.kind(from);
  if (WEBP_CHUNKS.includes(kind)) return;
  if (kind !== 'EXIF') return source.drop(from, to);
  const isNamed = content.toString('latin1', 0, EXIF.length) === EXIF;
  source.dropExif(from, to, isNamed ? content.subarray(EXIF.length) : content, exifOfWebp);
}

/** The length, and the flags of what the file holds, say what is left. */
function mendWebp(source: Source, length: number): void {
  if (source.edits.length === 0) return;
  const gone = source.edits.reduce((sum, { from, to, by }) => sum + to - from - by.length, 0);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(length - 8 - gone);
  source.edits.push({ from: 4, to: 8, by: head });
  if (source.kind(12) !== 'VP8X') return;
  const flags = (source.byte(20) & ~0x0c) | (source.isTurned ? 0x08 : 0);
  source.edits.push({ from: 20, to: 21, by: Buffer.from([flags]) });
}

/** Chunks within one: four letters, length, content, which is padded to an even length. */
function readWebp(source: Source): Size {
  const length = 8 + source.little(4, 4);
  source.need(length);
  const size = webpSize(source);
  for (let at = 12, hasPixels = false; ;) {
    if (at + 8 > length && hasPixels) {
      if (at < length) source.drop(at, length);
      mendWebp(source, length);
      return { ...size, length };
    }
    if (at + 8 > length) throw new ValueError(DAMAGED);
    hasPixels ||= ['VP8 ', 'VP8L', 'ANMF'].includes(source.kind(at));
    const chunk = source.little(at + 4, 4);
    const [from, start] = [at, at + 8];
    at += 8 + chunk + (chunk % 2);
    if (at > length) throw new ValueError(DAMAGED);
    cleanWebp(source, from, { content: source.bytes.subarray(start, start + chunk), to: at });
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
  throw new ValueError(DAMAGED);
}
