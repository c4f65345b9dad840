import { crc32 } from 'node:zlib';
import type { ImageType } from '../../lib/read-image';

/** Images of 3 x 2 pixels, as an image library wrote them: how they are called, their type, and their bytes. */
export const SAMPLE_IMAGES: readonly (readonly [name: string, type: ImageType, bytes: Buffer])[] = [
  [
    'PNG',
    'image/png',
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAHElEQVR4nGM8IafBwMDAwMDAxMDAYPHwBgMDAwAc7QMD3+0obgAAAABJRU5ErkJggg==',
      'base64',
    ),
  ],
  [
    'JPEG',
    'image/jpeg',
    Buffer.from(
      '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj/wAARCAACAAMDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCu/X8B/KiiisjvWx//2Q==',
      'base64',
    ),
  ],
  [
    'progressive JPEG',
    'image/jpeg',
    Buffer.from(
      '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj/wgARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAVAQEBAAAAAAAAAAAAAAAAAAACA//aAAwDAQACEAMQAAABmBf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAEFAn//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAEDAQE/AX//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAECAQE/AX//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAY/An//xAAVEAEBAAAAAAAAAAAAAAAAAAAAAf/aAAgBAQABPyGv/9oADAMBAAIAAwAAABAP/8QAFhEAAwAAAAAAAAAAAAAAAAAAAAEx/9oACAEDAQE/EFD/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAECAQE/EH//xAAYEAACAwAAAAAAAAAAAAAAAAAAATGBsf/aAAgBAQABPxCdLD//2Q==',
      'base64',
    ),
  ],
  ['GIF', 'image/gif', Buffer.from('R0lGODdhAwACAIEAAAD/AMgeKAAAAAAAACwAAAAAAwACAAAICAADCAwAIEBAADs=', 'base64')],
  [
    'moving GIF',
    'image/gif',
    Buffer.from(
      'R0lGODdhAwACAIEAAAD/AMgeKAAAAAAAACwAAAAAAwACAAAICAADCAwAIEBAACH5BAEAAAEALAAAAAADAAIAgQAe8AAAAAAAAAAAAAgGAAEIHBgQADs=',
      'base64',
    ),
  ],
  [
    'WebP',
    'image/webp',
    Buffer.from(
      'UklGRjwAAABXRUJQVlA4IDAAAACwAQCdASoDAAIABUB8JagCdAD0bDXAAP4uiGWS97FGCve5aKRX7O/L+1H8J61iAAA=',
      'base64',
    ),
  ],
  ['lossless WebP', 'image/webp', Buffer.from('UklGRiIAAABXRUJQVlA4TBUAAAAvAkAAAA/wj/9BHpT5jzS84CCi/xEA', 'base64')],
  [
    'WebP with transparency',
    'image/webp',
    Buffer.from(
      'UklGRmIAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAAP//////AFZQOCA0AAAAsAEAnQEqAwACAAVAfCWoAnQA9Gw1wAD+Loer30oYbmV73LVIE/0q63i/iC+dFb8toAAAAA==',
      'base64',
    ),
  ],
  [
    'moving WebP',
    'image/webp',
    Buffer.from(
      'UklGRsQAAABXRUJQVlA4WAoAAAACAAAAAgAAAQAAQU5JTQYAAAAAAAAAAABBTk1GUAAAAAAAAAAAAAIAAAEAAAAAAAJWUDggOAAAAFABAJ0BKgMAAgAFQHwlqAAEdAAA/uVbfcQ2u3hkjD2a9PzrOtxX/9JdOF/f/5Mgl+IL5u/LMAAAQU5NRkAAAAAAAAAAAAACAAABAAAAAAAAVlA4ICgAAAA0AQCdASoDAAIAAAB8JaAAA3AA/u4KZ//5Kf/eV/ru3Df9VU9ffoAA',
      'base64',
    ),
  ],
];

/** The first of them, a PNG. */
export const SAMPLE_PNG: Buffer = SAMPLE_IMAGES[0]![2];

const number = (value: number, isLittle = false): Buffer => {
  const bytes = Buffer.alloc(4);
  if (isLittle) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes;
};

/** A chunk of a PNG. */
export function imageChunk(kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), content]);
  return Buffer.concat([number(content.length), body, number(crc32(body))]);
}

/** A segment of a JPEG. */
export function imageSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** A WebP that says what it holds, with more chunks of even length at its end. */
export function withWebpChunks(webp: Buffer, chunks: readonly (readonly [kind: string, content: Buffer])[], flags = 0) {
  const more = chunks.flatMap(([kind, content]) => [Buffer.from(kind), number(content.length, true), content]);
  const all = Buffer.concat([webp, ...more]);
  all.writeUInt32LE(all.length - 8, 4);
  all[20] = webp[20]! | flags;
  return all;
}

/**
 * EXIF data with how the picture is turned, and the latitude 6 degrees 12 minutes south; `II` or `MM` says the order of
 * bytes.
 */
export function exifData(order: 'II' | 'MM', orientation: number): Buffer {
  const isLittle = order === 'II';
  const exif = Buffer.alloc(74);
  const short = (value: number, at: number): unknown =>
    isLittle ? exif.writeUInt16LE(value, at) : exif.writeUInt16BE(value, at);
  const long = (value: number, at: number): void => number(value, isLittle).forEach((byte, i) => (exif[at + i] = byte));
  exif.write(order);
  short(42, 2);
  long(8, 4);
  short(2, 8);
  // Orientation, one SHORT, and where the GPS data lies, one LONG.
  [0x0112, 3].forEach((value, i) => short(value, 10 + 2 * i));
  long(1, 14);
  short(orientation, 18);
  [0x8825, 4].forEach((value, i) => short(value, 22 + 2 * i));
  long(1, 26);
  long(38, 30);
  // Latitude: `S`, and three RATIONALs behind it.
  short(1, 38);
  [2, 5].forEach((value, i) => short(value, 40 + 2 * i));
  long(3, 44);
  long(50, 48);
  [6, 1, 12, 1, 0, 1].forEach((value, i) => long(value, 50 + 4 * i));
  return exif;
}
