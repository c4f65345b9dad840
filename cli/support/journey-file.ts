import { closeSync, openSync, readSync } from 'node:fs';
import type { JourneyDefinition } from '../../domain/journeys/journey';
import { privateUrls } from '../../commands/webhooks/client/targets';
import { readJourney } from '../../schemas/journeys/read-journey';
import type { LineFault } from '../../schemas/journeys/faults';
import type { Session } from './command';
import { FileFault } from './errors';
import type { Input, Read } from './input';
import type { Answer } from './output';
import { knownPublicUrl } from './public-url';
import { printable } from './text';

/** Bytes of a file: a journey must fit in one document of MongoDB, which holds 16 MB. */
const MAX_FILE = 10_000_000;

/** The argument of a command that takes the file of a journey. */
export const JOURNEY_FILE = ['<file>', 'YAML file of the journey'] as const;

interface WrittenFile {
  path: string;
  content: string;
}

const fileOf: Read<WrittenFile> = (raw) => {
  const path = raw.trim();
  let bytes: Buffer;
  try {
    bytes = readAtMost(path, MAX_FILE + 1);
  } catch (error) {
    throw new FileFault(path, `cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (bytes.length > MAX_FILE) throw new FileFault(path, 'has more than 10 MB.');
  try {
    return { path, content: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    throw new FileFault(path, 'is not in UTF-8: save it as UTF-8.', { cause: error });
  }
};

/** The first `most` bytes: a device or a pipe may never end. */
function readAtMost(path: string, most: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(most);
    let length = 0;
    for (let read = -1; read !== 0 && length < most; length += read) {
      read = readSync(file, bytes, length, most - length, null);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** What the file says, or the answer that lists its faults. */
export type Definition = { ok: true; journey: JourneyDefinition; path: string } | { ok: false; answer: Answer };

/** Reads the file of the argument; the function checks it against the workspace. */
export function readJourneyFile(input: Input): (session: Session, workspaceId: number) => Promise<Definition> {
  const { path, content } = input.arg('file', fileOf);
  return async (session, workspaceId) => {
    const { domains, audiences } = session.stores;
    const read = readJourney(content, {
      domains: (await domains.list(workspaceId)).map(({ id, domain }) => ({ id, name: domain })),
      audiences: await audiences.list(workspaceId),
      mayBePrivate: privateUrls({
        privateHosts: session.config.webhookPrivateHosts,
        ownHooks: () => sandboxHooks(session),
      }),
    });
    return read.ok ? { ...read, path } : { ok: false, answer: answerFaults(path, read.errors) };
  };
}

/** The hooks of the sandbox, which may be private; null without a sandbox, or when its address is not known. */
function sandboxHooks(session: Session): string | null {
  const url = session.config.roles.includes('sandbox') ? knownPublicUrl(session) : null;
  return url === null ? null : `${url}/sandbox/hooks/`;
}

function answerFaults(path: string, errors: readonly LineFault[]): Answer {
  const lines = errors.map(({ line, reason }) => `${printable(path)}:${line}: ${printable(reason)}\n`);
  return { text: lines.join(''), json: { ok: false, errors }, code: 1 };
}
