import type { MailHeader } from './mail-headers';

/** White space that the relaxed form of a header field would change. */
const UNRELAXED = /[\t\r]| {2}|^ | $/;

/** A header field in relaxed canonical form (RFC 6376 section 3.4.2), without the CRLF after it. */
export function relaxedHeader({ name, value }: MailHeader): string {
  return `${name.toLowerCase()}:${UNRELAXED.test(value) ? relaxed(value) : value}`;
}

function relaxed(value: string): string {
  const unfolded = value.replaceAll('\r\n', '').replace(/[ \t]+/g, ' ');
  return unfolded.replace(/^ | $/g, '');
}

/**
 * A body in relaxed canonical form (RFC 6376 section 3.4.4): removes white space at line ends, reduces runs of it to
 * one space, and removes empty lines at the end. Lines must end in CRLF. Returns its pieces in order; what is canonical
 * already is not copied.
 */
export function relaxedBody(body: Buffer): Buffer[] {
  const content = body.subarray(0, endOfContent(body));
  const found = [content.indexOf('  '), content.indexOf(TAB), content.indexOf(' \r\n')].filter((at) => at >= 0);
  return found.length === 0 ? [content] : collapseSpaces(content, Math.min(...found));
}

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/** Offset where the last non-blank line ends, including its CRLF. */
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

/** Copies only what lies between the `first` run of white space and the last: nothing of large attachments. */
function collapseSpaces(body: Buffer, first: number): Buffer[] {
  const last = Math.max(body.lastIndexOf('  '), body.lastIndexOf(TAB), body.lastIndexOf(' \r\n'));
  // A single space may precede a tab that was found first.
  const start = Math.max(first - 1, 0);
  const output = Buffer.allocUnsafe(Math.min(last + 4, body.length) - start);
  let at = start;
  let length = 0;
  let space = false;
  for (; at < body.length && (at <= last || space); at++) {
    const byte = body[at]!;
    if (byte === SPACE || byte === TAB) {
      space = true;
      continue;
    }
    if (space && byte !== CR) output[length++] = SPACE;
    space = false;
    output[length++] = byte;
  }
  return [body.subarray(0, start), output.subarray(0, length), body.subarray(at)];
}
