import type { MailHeader } from './mail-headers';

/** A header field in relaxed canonical form (RFC 6376 section 3.4.2), without the CRLF after it. */
export function relaxedHeader({ name, value }: MailHeader): string {
  const unfolded = value.replaceAll('\r\n', '').replace(/[ \t]+/g, ' ');
  return `${name.toLowerCase()}:${unfolded.replace(/^ | $/g, '')}`;
}

/**
 * A body in relaxed canonical form (RFC 6376 section 3.4.4): white space at line ends dropped, runs of it made one space,
 * empty lines at the end dropped. Lines must end in CRLF. A body that is canonical already is returned as it is.
 */
export function relaxedBody(body: Buffer): Buffer {
  const content = body.subarray(0, endOfContent(body));
  if (!content.includes('  ') && !content.includes('\t') && !content.includes(' \r\n')) return content;
  return collapseSpaces(content);
}

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/** Where the last line that is not blank ends, its CRLF included. */
function endOfContent(body: Buffer): number {
  let end = body.length;
  let content = 0;
  while (end > 0) {
    const byte = body[end - 1];
    if (byte !== SPACE && byte !== TAB && byte !== CR && byte !== LF) break;
    if (byte === LF) content = end;
    end--;
  }
  return end === 0 ? 0 : content || body.length;
}

function collapseSpaces(body: Buffer): Buffer {
  const output = Buffer.allocUnsafe(body.length);
  const last = Math.max(body.lastIndexOf(SPACE), body.lastIndexOf(TAB));
  let length = 0;
  let space = false;
  // one byte beyond the last space; what follows has none, attachments above all, and is copied at once
  for (let i = 0; i <= Math.min(last + 1, body.length - 1); i++) {
    const byte = body[i]!;
    if (byte === SPACE || byte === TAB) {
      space = true;
      continue;
    }
    if (space && byte !== CR) output[length++] = SPACE;
    space = false;
    output[length++] = byte;
  }
  length += body.copy(output, length, last + 2);
  return output.subarray(0, length);
}
