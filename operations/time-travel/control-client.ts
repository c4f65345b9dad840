import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Config } from '../config/config';
import { readControlFile } from './control-file';
import { StartError } from '../../lib/start-error';
import type { Advanced, Progress, TravelLine } from './protocol';

const REAL_SERVER =
  'The clock can be moved only with the sandbox, but KURIR_MTA_URL names a real sending server: unset it, and use a separate data directory.';

const CLUSTER =
  'The clock can be moved only with the embedded engine (KURIR_ENGINE), because the processes of a cluster cannot jump at the same moment.';

/** What the command line can ask of the running service. */
export interface Control {
  /** Moves its clock; aborting `stop` ends that after the current step. Rejects with StartError. */
  advance(ms: number, onProgress: (progress: Progress) => void, stop: AbortSignal): Promise<Advanced>;
}

/** Connects to the service on the data dir. Throws StartError when there is none, or when its clock cannot be moved. */
export function controlOf(config: Config): Control {
  if (config.engine === 'cluster') throw new StartError(CLUSTER);
  if (config.mtaUrl !== null) throw new StartError(REAL_SERVER);
  const address = readControlFile(config.dataDir);
  if (address === null) throw new StartError(REAL_SERVER.replace('KURIR_MTA_URL names', 'the service sends to'));
  if (address === undefined) throw notRunning(config);
  const ask = (method: 'POST' | 'DELETE', body?: object): Promise<Response> =>
    fetch(`${address.url}/clock/advance`, {
      method,
      headers: { authorization: `Bearer ${address.token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    advance: async (ms, onProgress, stop) => {
      const response = await ask('POST', { ms }).catch(() => {
        throw notRunning(config);
      });
      const end = (): void => void ask('DELETE').catch(() => undefined);
      if (stop.aborted) end();
      else stop.addEventListener('abort', end, { once: true });
      return readAnswer(response, onProgress);
    },
  };
}

const notRunning = ({ dataDir }: Config): StartError =>
  new StartError(
    `No service is running on ${dataDir}: start it with npm start, or set KURIR_DATA_DIR to its data directory.`,
  );

async function readAnswer(response: Response, onProgress: (progress: Progress) => void): Promise<Advanced> {
  if (response.status !== 200) throw new StartError(await refusalText(response));
  const lines = createInterface({ input: Readable.fromWeb(response.body as ReadableStream<Uint8Array>) });
  try {
    for await (const text of lines) {
      const line = JSON.parse(text) as TravelLine;
      if ('error' in line) throw new StartError(line.error);
      if ('done' in line) return line.done;
      onProgress(line.progress);
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
  }
  throw new StartError(
    'The service stopped while its clock was being moved: start it again, and advance it by the rest.',
  );
}

async function refusalText(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => ({}))) as { message?: string };
  return answer.message ?? `The service responded with ${response.status}: does it run the same version?`;
}
