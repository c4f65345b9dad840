import { describe, expect, it } from '@jest/globals';
import { readImage } from '../../lib/read-image';
import { exifData, imageChunk, imageSegment, SAMPLE_IMAGES, withWebpChunks } from '../support/images';

const sample = (name: string): Buffer => SAMPLE_IMAGES.find(([called]) => called === name)![2];
const PLACE = Buffer.from('-6.2088,106.8456');
const insert = (bytes: Buffer, at: number, ...parts: Buffer[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)]);
/** EXIF data of one entry: how the picture is turned. */
const turned = (orientation: number): Buffer =>
  Buffer.from(`4d4d002a0000000800010112000300000001000${orientation}000000000000`, 'hex');
const named = (exif: Buffer): Buffer => Buffer.concat([Buffer.from('Exif\0\0'), exif]);

const [png, jpeg] = [sample('PNG'), sample('JPEG')];
const [gif, webp] = [sample('moving GIF'), sample('WebP with transparency')];
const ORDERS = ['II', 'MM'] as const;

describe('the metadata of an image', () => {
  it.each(['tEXt', 'iTXt', 'zTXt', 'tIME', 'eXIf', 'prIv'])('leaves a PNG: %s', (kind) => {
    const chunk = imageChunk(kind, kind === 'eXIf' ? exifData('MM', 1) : PLACE);
    expect(readImage(insert(png, 33, chunk)).content).toEqual(png);
    expect(readImage(insert(png, png.length - 12, chunk, chunk)).content).toEqual(png);
  });

  it.each<[string, Buffer]>([
    ['EXIF', imageSegment(0xe1, named(exifData('II', 1)))],
    ['broken EXIF', imageSegment(0xe1, named(PLACE))],
    ['EXIF that is cut off', imageSegment(0xe1, named(exifData('II', 6).subarray(0, 12)))],
    ['XMP', imageSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x>${PLACE.toString()}</x>`))],
    ['IPTC', imageSegment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), PLACE]))],
    ['a comment', imageSegment(0xfe, PLACE)],
    ['other pictures', imageSegment(0xe2, Buffer.concat([Buffer.from('MPF\0'), PLACE]))],
  ])('leaves a JPEG: %s', (_, segment) => {
    expect(readImage(insert(jpeg, 2, segment)).content).toEqual(jpeg);
    expect(readImage(insert(jpeg, 20, segment, segment)).content).toEqual(jpeg);
    const filled = insert(jpeg, 20, Buffer.from([0xff, 0xff]), segment);
    expect(readImage(filled).content).toEqual(jpeg);
  });

  it('leaves a WebP, which says no more that it has some', () => {
    const chunks = [
      ['EXIF', exifData('II', 1)],
      ['XMP ', PLACE],
      ['prIv', PLACE],
    ] as const;
    expect(readImage(withWebpChunks(webp, chunks, 0x0c)).content).toEqual(webp);
    expect(readImage(withWebpChunks(webp, [['XMP ', PLACE]], 0x04)).content).toEqual(webp);
  });

  it('leaves a GIF: comments and XMP, not what makes it move', () => {
    const block = (head: number[], text: Buffer): Buffer =>
      Buffer.concat([Buffer.from(head), Buffer.from([text.length]), text, Buffer.from([0])]);
    const comment = block([0x21, 0xfe], PLACE);
    const xmp = Buffer.concat([Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'), block([], PLACE)]);
    const at = 13 + 12;
    expect(readImage(insert(gif, at, comment, xmp)).content).toEqual(gif);
    const loop = Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0', 'latin1');
    expect(readImage(insert(gif, at, loop)).content).toEqual(insert(gif, at, loop));
  });

  it('keeps what says how colours are meant', () => {
    const icc = Buffer.from('ICC_PROFILE\0\x01\x01abcd', 'latin1');
    for (const segment of [imageSegment(0xe2, icc), imageSegment(0xee, Buffer.from('Adobe\0d\0\0\0\0\x01'))]) {
      const bytes = insert(jpeg, 20, segment);
      expect(readImage(bytes).content).toEqual(bytes);
    }
    const gamma = insert(png, 33, imageChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])));
    expect(readImage(gamma).content).toEqual(gamma);
  });

  it.each(ORDERS.flatMap((order) => [2, 6, 8].map((orientation) => [order, orientation] as const)))(
    'keeps how a picture is turned, of EXIF in %s: %i',
    (order, orientation) => {
      const [exif, kept] = [exifData(order, orientation), turned(orientation)];
      const segment = imageSegment(0xe1, named(exif));
      const photo = readImage(insert(jpeg, 2, segment, segment)).content;
      expect(photo).toEqual(insert(jpeg, 2, imageSegment(0xe1, named(kept))));
      const drawing = readImage(insert(png, 33, imageChunk('eXIf', exif))).content;
      expect(drawing).toEqual(insert(png, 33, imageChunk('eXIf', kept)));
      for (const data of [exif, named(exif)]) {
        const shown = readImage(
          withWebpChunks(
            webp,
            [
              ['XMP ', PLACE],
              ['EXIF', data],
            ],
            0x0c,
          ),
        ).content;
        expect(shown).toEqual(withWebpChunks(webp, [['EXIF', kept]], 0x08));
      }
      expect(readImage(photo).content).toEqual(photo);
    },
  );
});
