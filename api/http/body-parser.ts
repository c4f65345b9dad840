import type { Shape, Source } from '../../schemas/rules/normalize';
import { parseBody } from './parse-body';

/** Parses request bodies. */
export interface BodyParser {
  /**
   * The fields of a body. Those of a large one come normalized and shortened by `shape`, and unknown ones as null; to
   * normalize them again changes nothing. `bytes` may not be used any more. ApiError 400 or 422 with a text for the
   * caller.
   */
  parse(bytes: Buffer, source: Source, shape: Shape): object | Promise<object>;
  close(): Promise<void>;
}

/** Parses every body on the thread of the caller. */
export const inlineBodyParser: BodyParser = {
  parse: (bytes, source) => parseBody(bytes, source),
  close: async () => {},
};
