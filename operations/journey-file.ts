import { closeSync, openSync, readSync } from 'node:fs';
import { printable } from '../lib/printable';
import { readJourney, type ReadJourney } from '../schemas/journeys/read-journey';
import { privateUrls } from '../commands/webhooks/client/targets';
import { knownPublicUrl } from './public-url';
import { argument, FileFault, type Read, type Session } from './spec';

/** Bytes of a file: a journey must fit in one document of MongoDB, which holds 16 MB. */
const MAX_FILE = 10_000_000;

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

/** The argument that takes the file of a journey. */
export const journeyFile = argument('YAML file of the journey', fileOf);

/** What a file says, or its faults. */
export type Definition = ReadJourney & { path: string };
export type Faulty = Extract<Definition, { ok: false }>;

/** Checks a file against its workspace. */
export async function readDefinition(session: Session, workspaceId: number, file: WrittenFile): Promise<Definition> {
  const { domains, audiences } = session.stores;
  const read = readJourney(file.content, {
    domains: (await domains.list(workspaceId)).map(({ id, domain }) => ({ id, name: domain })),
    audiences: await audiences.list(workspaceId),
    mayBePrivate: privateUrls({
      privateHosts: session.config.webhookPrivateHosts,
      ownHooks: () => sandboxHooks(session),
    }),
  });
  return { ...read, path: file.path };
}

/** The hooks of the sandbox, which may be private; null without a sandbox, or when its address is not known. */
function sandboxHooks(session: Session): string | null {
  const url = session.config.roles.includes('sandbox') ? knownPublicUrl(session) : null;
  return url === null ? null : `${url}/sandbox/hooks/`;
}

/** Each fault on a line of its own. */
export const faultsText = ({ path, errors }: Faulty): string =>
  errors.map(({ line, reason }) => `${printable(path)}:${line}: ${printable(reason)}\n`).join('');
