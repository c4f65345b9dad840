import { printable } from '../../lib/printable';
import { readJourney, type ReadJourney } from '../../schemas/journeys/read-journey';
import { privateUrls } from '../webhooks/targets';
import { knownPublicUrl } from '../installation/public-url';
import { fileArgument, type FileContent, type Session } from '../definition';

/** The argument that takes the file of a journey. */
export const journeyFile = fileArgument('YAML file of the journey', (file): FileContent => file);

/** What a file says, or its faults. */
export type Definition = ReadJourney & { path: string };
export type Faulty = Extract<Definition, { ok: false }>;

/** Checks a file against its workspace. */
export async function readDefinition(session: Session, workspaceId: number, file: FileContent): Promise<Definition> {
  const { domains, audiences } = session.stores;
  const read = readJourney(file.text, {
    domains: (await domains.list(workspaceId)).map(({ id, domain }) => ({ id, name: domain })),
    audiences: await audiences.list(workspaceId),
    mayBePrivate: privateUrls({
      privateHosts: session.config.webhookPrivateHosts,
      ownHooks: () => sandboxHooks(session),
    }),
  });
  return { ...read, path: file.name };
}

/** The hooks of the sandbox, which may be private; null without a sandbox, or when its address is not known. */
function sandboxHooks(session: Session): string | null {
  const url = session.config.roles.includes('sandbox') ? knownPublicUrl(session) : null;
  return url === null ? null : `${url}/sandbox/hooks/`;
}

/** Each fault on a line of its own. */
export const faultsText = ({ path, errors }: Faulty): string =>
  errors.map(({ line, reason }) => `${printable(path)}:${line}: ${printable(String(reason))}\n`).join('');
