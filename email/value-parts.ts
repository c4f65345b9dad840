import type { MergeValues, TagUse } from './merge-tags';
import { tagKey, tagValue } from './merge-tags';
import { qpPart, type QpPart } from './quoted-printable';

/** The values of one recipient in one kind of text, each encoded once however often its tag stands in the template. */
export class ValueParts {
  private readonly parts = new Map<string, QpPart>();

  /** `present` formats a value for this kind of text. */
  constructor(
    private readonly values: MergeValues,
    private readonly present: (value: string) => string,
  ) {}

  /** What stands for a tag. */
  of(use: TagUse): QpPart {
    const value = tagValue(use, this.values);
    const known = this.parts.get(value);
    if (known) return known;
    const part = qpPart(this.present(value));
    this.parts.set(value, part);
    return part;
  }
}

/** The tags of a template and how often each of them stands in it, beside the bytes of the text around them. */
export class TagTally {
  private readonly counted = new Map<string, { use: TagUse; times: number }>();
  /** Bytes of what is the same for all recipients. */
  private fixed = 0;

  addFixed(bytes: number): void {
    this.fixed += bytes;
  }

  addTag(use: TagUse): void {
    const key = tagKey(use);
    const known = this.counted.get(key);
    if (known) known.times += 1;
    else this.counted.set(key, { use, times: 1 });
  }

  /** Bytes with the tags filled. It costs a look at each different tag, not at each of them. */
  bytesWith(parts: ValueParts): number {
    let bytes = this.fixed;
    for (const { use, times } of this.counted.values()) bytes += times * parts.of(use).text.length;
    return bytes;
  }
}
