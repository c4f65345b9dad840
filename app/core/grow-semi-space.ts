import { setFlagsFromString } from 'node:v8';

/**
 * Lets the young generation grow from its first size (1 MB, and again after some seconds of idling) to its maximum in
 * one step instead of five. In between it is collected so often that the short-lived data of a mail is taken for
 * long-lived, copied and collected with the old generation: some 5 % of a mail's time
 * (docs/decisions/0034-the-end-of-one-send-announces-the-next.md). The maximum itself can only be
 * set when Node starts.
 */
export const growSemiSpace = (): void => setFlagsFromString('--semi-space-growth-factor=32');

/**
 * Limits the young generation of the threads that start from now on: with the maximum of the main thread each would
 * keep some 70 MB, and they become no faster by it (proof/bench/history.md).
 */
export const limitSemiSpaceOfThreads = (): void => setFlagsFromString('--max-semi-space-size=4');
