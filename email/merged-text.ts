import { findMergeTags, splitAtTags, type TagUse } from './merge-tags';
import { qpPart, type QpJoin, type QpPart } from './quoted-printable';
import { TagTally, type ValueParts } from './value-parts';

/** A template whose literals are encoded once, for all recipients. */
export type MergedText = readonly (QpPart | TagUse)[];

const tallies = new WeakMap<MergedText, TagTally>();

/** Splits a template at its tags, with those of `variables`, and encodes the text between them. */
export function mergedText(template: string, variables: readonly string[] = []): MergedText {
  return splitAtTags(template, findMergeTags(template, variables)).map((piece) =>
    typeof piece === 'string' ? qpPart(piece) : piece,
  );
}

/** Writes the template for one recipient. */
export function addMerged(join: QpJoin, parts: MergedText, values: ValueParts): void {
  for (const part of parts) join.add('field' in part ? values.of(part) : part);
}

/** Bytes of the template for one recipient, without the line breaks of its encoding. Counted once for all of them. */
export function mergedBytes(parts: MergedText, values: ValueParts): number {
  let tally = tallies.get(parts);
  if (!tally) {
    tally = new TagTally();
    for (const part of parts) {
      if ('field' in part) tally.addTag(part);
      else tally.addFixed(part.text.length);
    }
    tallies.set(parts, tally);
  }
  return tally.bytesWith(values);
}

/** True when the template has an unsubscribe tag. */
export function hasUnsubscribeTag(parts: MergedText): boolean {
  return parts.some((part) => 'field' in part && part.field === 'unsubscribe');
}
