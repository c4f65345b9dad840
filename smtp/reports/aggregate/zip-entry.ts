import { ReportFault } from './report-fault';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const METHODS: Readonly<Record<number, ZipEntry['method']>> = { 0: 'stored', 8: 'deflate' };

/** The packed bytes of a file in a zip archive. */
export interface ZipEntry {
  method: 'stored' | 'deflate';
  data: Buffer;
}

export const isZip = (bytes: Buffer): boolean => bytes.length > 4 && bytes.readUInt32LE(0) === LOCAL;

/**
 * The first file of a zip archive, by its central directory (APPNOTE.TXT 4.3): a report is the only one in its archive.
 * Throws ReportFault for what is encrypted, packed in another way, or broken.
 */
export function firstZipEntry(bytes: Buffer): ZipEntry {
  try {
    return readEntry(bytes, bytes.readUInt32LE(endOf(bytes) + 16));
  } catch (error) {
    throw error instanceof ReportFault ? error : new ReportFault('a broken zip archive');
  }
}

function endOf(bytes: Buffer): number {
  const lowest = Math.max(0, bytes.length - END_LENGTH - MAX_COMMENT);
  for (let at = bytes.length - END_LENGTH; at >= lowest; at--) if (bytes.readUInt32LE(at) === END) return at;
  throw new ReportFault('a zip archive without its end');
}

function readEntry(bytes: Buffer, at: number): ZipEntry {
  if (bytes.readUInt32LE(at) !== CENTRAL) throw new ReportFault('a zip archive without its directory');
  const method = METHODS[bytes.readUInt16LE(at + 10)];
  const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) === 1;
  if (isEncrypted || !method) throw new ReportFault('a zip archive that is encrypted, or packed in another way');
  const local = bytes.readUInt32LE(at + 42);
  if (bytes.readUInt32LE(local) !== LOCAL) throw new ReportFault('a zip archive whose file is not where it says');
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  return { method, data: bytes.subarray(start, start + bytes.readUInt32LE(at + 20)) };
}
