/** Maximum length of a kept reply, bytes; RFC 5321 section 4.5.3.1.5 allows 512 per line. */
const LONGEST = 16 * 1024;

/** Splits what a server sends into replies (RFC 5321 section 4.2), however the network split it. */
export class ReplyReader {
  /** The line that has not ended yet, one character per byte. */
  private rest = '';
  /** The lines so far of a multi-line reply. */
  private lines = '';
  private broken: string | null = null;

  /** Why nothing that follows can be understood, or null. */
  get fault(): string | null {
    return this.broken;
  }

  /** True in the middle of a reply. */
  get pending(): boolean {
    return this.rest !== '' || this.lines !== '';
  }

  /** The replies that end in this piece, lines joined by line feeds; if there is a fault, those before it. */
  read(chunk: Buffer): string[] {
    const replies: string[] = [];
    const text = chunk.toString('latin1');
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0 && !this.broken; end = text.indexOf('\n', start)) {
      this.endLine(this.rest + text.slice(start, end), replies);
      this.rest = '';
      start = end + 1;
    }
    this.rest += text.slice(start);
    if (this.rest.length + this.lines.length > LONGEST) this.broken ??= 'The reply of the server does not end.';
    return replies;
  }

  private endLine(raw: string, replies: string[]): void {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    // some servers send an empty line between replies
    if (line === '' && this.lines === '') return;
    if (!/^[2-5]\d\d(?:[ -]|$)/.test(line) || !this.isOfSameReply(line)) {
      this.broken = `The server sent an invalid SMTP reply: ${decoded(line)}`;
    } else if (line[3] === '-') {
      this.lines += `${line}\n`;
    } else {
      replies.push(decoded(this.lines + line));
      this.lines = '';
    }
  }

  /** A reply whose lines have different codes contradicts itself and counts as invalid. */
  private isOfSameReply(line: string): boolean {
    return this.lines === '' || this.lines.startsWith(line.slice(0, 3));
  }
}

/** Decodes UTF-8; if it is invalid, one character per byte. */
function decoded(bytes: string): string {
  if (!/[\u0080-\u00ff]/.test(bytes)) return bytes;
  const text = Buffer.from(bytes, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? bytes : text;
}
