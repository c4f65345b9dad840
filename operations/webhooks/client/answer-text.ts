const SHOWN = 1_024;
/** All but line breaks and tabs. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Keeps the beginning of an answer's body, and counts the rest. */
export class AnswerText {
  private readonly chunks: Buffer[] = [];
  private kept = 0;
  /** Bytes of the body so far. */
  size = 0;

  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.kept === SHOWN) return;
    // A copy: the chunk is part of a larger buffer.
    const piece = Buffer.from(chunk.subarray(0, SHOWN - this.kept));
    this.chunks.push(piece);
    this.kept += piece.length;
  }

  /**
   * The first 1,024 bytes as text, cut at a character. What is no UTF-8 becomes U+FFFD; control characters other than
   * line feed and tab are left out.
   */
  text(): string {
    // As part of a stream, so that a character cut in two at the end is left out.
    return new TextDecoder().decode(Buffer.concat(this.chunks), { stream: true }).replace(CONTROL, '');
  }
}
