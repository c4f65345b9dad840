import { describe, expect, it } from '@jest/globals';
import { readImage } from '../../lib/read-image';
import { imageChunk as chunk, SAMPLE_IMAGES, SAMPLE_PNG } from '../support/images';

const HTML = Buffer.from('<script>alert(1)</script>');

describe('the reading of an image', () => {
  it.each(SAMPLE_IMAGES)('tells type and pixels of a %s', (_, type, bytes) => {
    expect(readImage(bytes)).toEqual({ type, width: 3, height: 2, content: bytes });
  });

  it.each(SAMPLE_IMAGES)('refuses each part of a %s that is cut off', (_, _type, bytes) => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => readImage(bytes.subarray(0, length))).toThrow(RangeError);
    }
  });

  it.each(SAMPLE_IMAGES)('ends where a %s does, whatever follows it', (_, type, bytes) => {
    expect(readImage(Buffer.concat([bytes, HTML]))).toMatchObject({ type, content: bytes });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>')],
    ['HTML', HTML],
    ['a bitmap', Buffer.from('BM\x46\0\0\0\0\0\0\0')],
    ['a RIFF that is no WebP', Buffer.from('RIFF\x04\0\0\0WAVE')],
    ['text before an image', Buffer.concat([Buffer.from(' '), SAMPLE_PNG])],
  ])('refuses %s', (_, bytes) => {
    expect(() => readImage(bytes)).toThrow('is not a PNG, JPEG, GIF or WebP image');
  });

  it.each([
    ['GIF89a=1;alert(1)//'],
    ['GIF89a' + '\0'.repeat(7) + ';'],
    ['\x89PNG\r\n\x1a\n<html><script>alert(1)</script></html>'],
    ['\xff\xd8\xff<script>alert(1)</script>\xff\xd9'],
    ['\xff\xd8\xff\xd9'],
    ['RIFF\x1c\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x02\0\0\x01\0\0'],
  ])('refuses %j, which only begins like one', (text) => {
    expect(() => readImage(Buffer.from(text, 'latin1'))).toThrow('is damaged or cut off');
  });

  it('refuses an image without a pixel, and a part that says it is longer than the file', () => {
    const [signature, header] = [SAMPLE_PNG.subarray(0, 8), Buffer.from(SAMPLE_PNG.subarray(16, 29))];
    header.writeUInt32BE(0, 0);
    const empty = [signature, chunk('IHDR', header), chunk('IDAT', HTML), chunk('IEND', Buffer.alloc(0))];
    expect(() => readImage(Buffer.concat(empty))).toThrow('is damaged or cut off');
    const long = Buffer.from(SAMPLE_PNG);
    long.writeUInt32BE(0xffffffff, 33);
    expect(() => readImage(long)).toThrow('is damaged or cut off');
  });

  it('reads any bytes behind the beginning of an image in a short time', () => {
    for (const [, , bytes] of SAMPLE_IMAGES) {
      for (const filling of [0x00, 0x01, 0x21, 0x2c, 0xd8, 0xff]) {
        const hostile = Buffer.concat([bytes.subarray(0, 13), Buffer.alloc(2_000_000, filling)]);
        const { user: before } = process.cpuUsage();
        expect(() => readImage(hostile)).toThrow(RangeError);
        // Half a second for bytes that are read once each; hours where each makes all others be read again.
        expect(process.cpuUsage().user - before).toBeLessThan(10_000_000);
      }
    }
  });
});
