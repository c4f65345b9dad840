import type { MessagePort } from 'node:worker_threads';
import { releaseBytes } from './release-bytes';

/** What a job is answered with: its result, and the memory in it that goes along. */
export interface Served<R> {
  result: R;
  transfer: ArrayBuffer[];
}

/**
 * Serves the jobs of a JobThread on its port, one after the other. The memory of `bytes` is given back after each. What
 * `run` throws rejects the job.
 */
export function serveJobs<J extends { bytes: Uint8Array }, R extends object>(
  port: MessagePort,
  run: (job: J) => Served<R> | Promise<Served<R>>,
): void {
  let last: Promise<void> = Promise.resolve();
  port.on('message', (job: J & { id: number }) => {
    last = last.then(() => serve(job));
  });
  async function serve(job: J & { id: number }): Promise<void> {
    const { id } = job;
    try {
      const { result, transfer } = await run(job);
      port.postMessage({ ...result, id }, transfer);
    } catch (error) {
      port.postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
    } finally {
      releaseBytes([new Uint8Array(job.bytes.buffer)]);
    }
  }
}
