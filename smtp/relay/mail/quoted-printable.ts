const [LF, CR, EQUALS] = [0x0a, 0x0d, 0x3d];

/**
 * Undoes quoted-printable (RFC 2045 section 6.7), byte for byte as the parser would, which takes 100 kB of memory for
 * each part and several turns of the event loop. Lines end in LF, the last one too unless its break is soft. What is no
 * escape stays as it is. Linear in the length.
 */
export function decodeQuotedPrintable(body: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(body.length + 1);
  let length = 0;
  for (let at = 0; at < body.length;) {
    const lf = body.indexOf(LF, at);
    let end = lf < 0 ? body.length : lf;
    while (end > at && body[end - 1] === CR) end--;
    const isSoft = end > at && body[end - 1] === EQUALS;
    length = decodeLine(body.subarray(at, isSoft ? end - 1 : end), decoded, length);
    if (!isSoft) decoded[length++] = LF;
    at = lf < 0 ? body.length : lf + 1;
  }
  return decoded.subarray(0, length);
}

/** Returns where the line ends in `decoded`. */
function decodeLine(line: Buffer, decoded: Buffer, from: number): number {
  let [to, at] = [from, 0];
  for (let equals = line.indexOf(EQUALS); equals >= 0; equals = line.indexOf(EQUALS, equals + 1)) {
    const byte = nibble(line[equals + 1]) * 16 + nibble(line[equals + 2]);
    if (Number.isNaN(byte)) continue;
    to += line.copy(decoded, to, at, equals);
    decoded[to++] = byte;
    at = equals + 3;
    equals += 2;
  }
  return to + line.copy(decoded, to, at);
}

/** Of a hexadecimal digit, upper or lower case; NaN for another character. */
function nibble(character: number | undefined): number {
  if (character === undefined) return NaN;
  if (character >= 0x30 && character <= 0x39) return character - 0x30;
  const letter = character | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NaN;
}
