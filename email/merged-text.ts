import { findMergeTags, splitAtTags, tagValue, type MergeValues, type TagUse } from './merge-tags';
import { qpPart, type QpJoin, type QpPart } from './quoted-printable';

/** A template whose literals are encoded once, for all recipients. */
export type MergedText = readonly (QpPart | TagUse)[];

/** Splits a template at its tags, with those of `variables`, and encodes the text between them. */
export function mergedText(template: string, variables: readonly string[] = []): MergedText {
  return splitAtTags(template, findMergeTags(template, variables)).map((piece) =>
    typeof piece === 'string' ? qpPart(piece) : piece,
  );
}

/** Writes the template for one recipient; `present` formats a value for this kind of text. */
export function addMerged(
  join: QpJoin,
  parts: MergedText,
  values: MergeValues,
  present: (value: string) => string,
): void {
  for (const part of parts) join.add('field' in part ? qpPart(present(tagValue(part, values))) : part);
}

/** True when the template has an unsubscribe tag. */
export function hasUnsubscribeTag(parts: MergedText): boolean {
  return parts.some((part) => 'field' in part && part.field === 'unsubscribe');
}
