const DOT = 0x2e;
const CR = 0x0d;
const LF = 0x0a;
const END = '.\r\n';
const END_AFTER_OPEN_LINE = '\r\n.\r\n';

/**
 * The bytes `start` to `end` of a mail as sent after DATA (RFC 5321 section 4.5.2): doubles a dot at the start of a
 * line, and adds the terminating line after the last byte of the mail. A bare CR or LF counts as a line end too:
 * however a server reads it, the mail cannot end early. `commands` are appended.
 */
export function dotStuff(raw: Buffer, start: number, end: number, commands = ''): Buffer {
  const dots = dotsAtLineStart(raw, start, end);
  const tail = end < raw.length ? '' : (endsLine(raw) ? END : END_AFTER_OPEN_LINE) + commands;
  if (dots.length === 0 && tail === '') return raw.subarray(start, end);
  const wire = Buffer.allocUnsafe(end - start + dots.length + Buffer.byteLength(tail));
  let from = start;
  let at = 0;
  for (const dot of dots) {
    at += raw.copy(wire, at, from, dot);
    wire[at++] = DOT;
    from = dot;
  }
  at += raw.copy(wire, at, from, end);
  wire.write(tail, at);
  return wire;
}

/** Offsets in `raw` of dots at the start of a line, in order. */
function dotsAtLineStart(raw: Buffer, start: number, end: number): number[] {
  const part = end - start === raw.length ? raw : raw.subarray(start, end);
  const before = start === 0 ? LF : raw[start - 1];
  const dots = part[0] === DOT && (before === LF || before === CR) ? [start] : [];
  for (const pair of ['\n.', '\r.']) {
    for (let at = part.indexOf(pair, 0, 'latin1'); at >= 0; at = part.indexOf(pair, at + 2, 'latin1')) {
      dots.push(start + at + 1);
    }
  }
  return dots.length > 1 ? dots.sort((a, b) => a - b) : dots;
}

const endsLine = (raw: Buffer): boolean => raw.length >= 2 && raw[raw.length - 1] === LF && raw[raw.length - 2] === CR;
