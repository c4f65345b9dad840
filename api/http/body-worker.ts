import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../../lib/serve-jobs';
import { normalize } from '../../schemas/rules/normalize';
import { withUnknown } from '../../schemas/rules/unknown-fields';
import { shorten, transferables } from '../../schemas/rules/shorten';
import { ApiError } from '../errors';
import type { BodyJob, BodyResult } from './body-protocol';
import { parseBody } from './parse-body';

/** The worker thread that parses large bodies. */
serveJobs(parentPort!, (job: BodyJob) => {
  const result = resultOf(job);
  return { result, transfer: 'fields' in result ? transferables(result.fields) : [] };
});

function resultOf({ bytes, source, shape }: BodyJob): BodyResult {
  try {
    const parsed = parseBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), source);
    return { fields: withUnknown(shape, parsed, shorten(shape, normalize(shape, parsed, source))) };
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, text: error.message };
    throw error;
  }
}
