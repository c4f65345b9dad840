import type { Fields, Shape, Source } from '../../schemas/rules/normalize';
import type { ErrorCode } from '../errors';

/** A body for the thread, as bytes that were transferred to it. */
export interface BodyJob {
  bytes: Uint8Array;
  source: Source;
  shape: Shape;
}

/** The fields of a body, or the error for its caller. */
export type BodyResult = { fields: Fields } | { code: ErrorCode; text: string };
