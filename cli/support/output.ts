import type { Host } from './host';
import type { Outcome, Piece, View } from '../../operations/definition';

/** Writes the answer of one command: as text or as one JSON object, whole or with a list written as it grows. */
export class Output {
  private list: { name: string; count: number } | null = null;

  constructor(
    private readonly host: Host,
    private readonly json: boolean,
  ) {}

  /**
   * For a list too long to hold in memory: writes each item at once, before the rest of the answer; in JSON as the
   * object's first field, `name`. Throws when the reader has gone.
   */
  listing(name: string): (item: Piece) => void {
    const list = { name, count: 0 };
    this.list = list;
    return (item) => {
      this.host.readerGone?.throwIfAborted();
      // Writes nothing before the first item: writing is how it notices that the reader has left.
      const before = list.count === 0 ? `{\n  ${JSON.stringify(name)}: [` : ',';
      list.count += 1;
      this.write(this.json ? `${before}\n${jsonText(item.json).replace(/^/gm, '    ')}` : item.text);
    };
  }

  /** Writes the answer, or the rest of it; returns the exit code. */
  end({ text, json, code }: Outcome, view: View): number {
    if (!this.json) this.write(text(view));
    else if (this.list && this.list.count > 0) this.write(`\n  ],\n${jsonText(json).slice('{\n'.length)}\n`);
    else this.write(`${jsonText(this.list ? { [this.list.name]: [], ...json } : json)}\n`);
    return code;
  }

  private write(text: string): void {
    this.host.stdout.write(text);
  }
}

/** JSON for a terminal or a file: also escapes the control characters that JSON leaves as they are. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
