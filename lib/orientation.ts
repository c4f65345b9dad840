const TAG = 0x0112;

/**
 * How a picture is turned, from its EXIF data (EXIF 2.32, 4.6.4: tag 0112, 1 to 8); null when it is not turned, and
 * when the data cannot be read.
 */
export function orientationIn(exif: Buffer): number | null {
  if (exif.length < 8) return null;
  const isLittle = exif.toString('latin1', 0, 2) === 'II';
  const short = (at: number): number => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const start = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
  if (start + 2 > exif.length) return null;
  const end = Math.min(start + 2 + short(start) * 12, exif.length);
  for (let entry = start + 2; entry + 12 <= end; entry += 12) {
    if (short(entry) !== TAG) continue;
    const value = short(entry + 8);
    return value > 1 && value <= 8 ? value : null;
  }
  return null;
}

/** EXIF data that says how a picture is turned, and nothing else. */
export function orientationOnly(orientation: number): Buffer {
  const exif = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex');
  exif.writeUInt16BE(orientation, 18);
  return exif;
}
