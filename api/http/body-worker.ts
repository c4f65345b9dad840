import { parentPort, type MessagePort } from 'node:worker_threads';
import { releaseBytes } from '../../lib/release-bytes';
import { normalize } from '../../schemas/normalize';
import { shorten, transferables } from '../../schemas/shorten';
import { ApiError } from '../errors';
import type { BodyJob, BodyResult } from './body-protocol';
import { parseBody } from './parse-body';

/** The worker thread that parses large bodies, one after the other. */
function serve(port: MessagePort): void {
  port.on('message', (job: BodyJob) => {
    const result = resultOf(job);
    releaseBytes([new Uint8Array(job.bytes.buffer)]);
    port.postMessage(result, 'fields' in result ? transferables(result.fields) : []);
  });
}

function resultOf({ id, bytes, source, shape }: BodyJob): BodyResult {
  try {
    const parsed = parseBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), source);
    return { id, fields: shorten(shape, normalize(shape, parsed, source)) };
  } catch (error) {
    if (error instanceof ApiError) return { id, code: error.code, text: error.message };
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}

serve(parentPort!);
