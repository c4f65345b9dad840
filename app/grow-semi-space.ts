import { setFlagsFromString } from 'node:v8';

/**
 * Lets the young generation grow from its first size (1 MB, and again after some seconds of rest) to its last in one step instead
 * of five. In between it is collected so often that what a mail needs for its milliseconds is taken for long-lived, copied
 * and collected with the old: some 5 % of a mail's time
 * (docs/decisions/0034-the-next-mail-is-announced-with-the-end-of-the-one-before.md). How large the last size is can
 * only be said when Node starts.
 */
export function growYoungGenerationAtOnce(): void {
  setFlagsFromString('--semi-space-growth-factor=32');
}
