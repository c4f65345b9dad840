import type { Fields, Shape, Source } from '../../schemas/normalize';
import type { ErrorCode } from '../errors';

/** A body for the thread, as bytes that were transferred to it. */
export interface BodyJob {
  id: number;
  bytes: Uint8Array;
  source: Source;
  shape: Shape;
}

/** The fields of a body, or the error for its caller. */
export type BodyResult =
  { id: number; fields: Fields } | { id: number; code: ErrorCode; text: string } | { id: number; failure: string };
