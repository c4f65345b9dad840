/** What the bytes 0x80 to 0x9f are; a space stands for the five that are not assigned. */
const HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/**
 * The text of bytes in Windows-1252, of which ISO 8859-1 is a part. Not by TextDecoder, which reads 0x80 to 0x9f as
 * control characters in some releases of Node 20 and 22.
 */
export function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (byte) => HIGH[byte.charCodeAt(0) - 0x80]!);
}
