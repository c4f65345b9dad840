import { describe, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { EVERY, findUrls, type Server, type Urls } from './server-urls';

/**
 * A `describe` for real servers: the body receives their addresses. If one is missing, the block becomes one skipped
 * test that says so. The global setup looks for servers in the environment, then in containers.
 */
export function describeOn<S extends Server>(
  servers: readonly S[],
  title: string,
  body: (urls: Urls<S>) => void,
): void {
  const urls = findUrls(servers, process.env);
  describe(title, () => {
    if (typeof urls === 'string') it.skip(`was not run: ${urls}`, () => undefined);
    else body(urls);
  });
}

/** `describeOn` for all of the cluster engine's servers. */
export const describeOnCluster = (title: string, body: (urls: Urls) => void): void => describeOn(EVERY, title, body);

/** A unique name for a database or a prefix of topics or keys: letters, digits and `_`. */
export const uniqueName = (): string => `kurir_test_${randomBytes(6).toString('hex')}`;

const CLONE = createHash('sha256').update(__dirname).digest('hex').slice(0, 6);

/** A name for what a worker keeps on the servers and empties: no other worker has it, nor a run in another clone. */
export const workerName = (): string => `${CLONE}_${process.env['JEST_WORKER_ID'] ?? '0'}`;
