import { dead, type Result } from '../streams/results';

/** Why a record is parked whose message, or workspace, is not in the store. */
export const NOT_IN_STORE = 'not in this store: another installation wrote it, or the store was restored without it';

/**
 * For a record about a message that the store does not have, or has in another workspace. Every record is published
 * after its message was stored, so this one is not ours, or the store has lost something. It is never simply done: a
 * dead letter can be looked at, and driven again (docs/operations.md#records-of-messages-that-are-not-in-the-store).
 */
export const notInStore: Result = dead(NOT_IN_STORE);
