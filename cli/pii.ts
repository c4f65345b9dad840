import type { Command } from 'commander';
import { openAllPersonalData, type OpenPersonalData, type SandboxCounts } from '../app/operator/open-personal-data';
import { AddressSearch } from '../domain/addresses/address-search';
import type { Place } from '../stores/ports/personal-data';
import { address } from './support/addresses';
import type { Commands, Session } from './support/command';
import { reference } from './support/input';
import { findWorkspace } from './support/lookups';
import type { Answer, Piece } from './support/output';
import { printable } from './support/text';

/** `kurir pii`: where an address is still stored. */
export const piiCommand = (commands: Commands): Command =>
  commands.verb({
    name: 'pii',
    summary: 'find where an address is still stored: stores, event log, attachments, caches',
    args: [['<email>', 'address']],
    options: [['--workspace <workspace>', 'only in this workspace (id or name), and in data that belongs to none']],
    examples: [
      ['pii budi@example.com', 'exit code 1 when it is found anywhere'],
      ['pii budi@example.com --workspace Demo --json', 'for programs'],
    ],
    notes: `Searches all stored data, also for forms encoded in URLs, UTF-16 and base64, while the service runs. It cannot look inside
compressed or encrypted attachments. Suppression lists keep keyed hashes, not addresses. Mails in the sandbox and
what its hooks received are counted separately: it plays other people's servers.`,
    run: (input) => {
      const email = input.arg('email', address);
      const ref = input.option('workspace', reference);
      return async (session) => {
        const workspace = ref === undefined ? null : await findWorkspace(session.stores, ref, '--workspace');
        const source = await openAllPersonalData(session.config);
        try {
          return await look(session, source, email, workspace?.id ?? null);
        } finally {
          await source.close();
        }
      };
    },
  });

async function look(
  session: Session,
  source: OpenPersonalData,
  email: string,
  workspaceId: number | null,
): Promise<Answer> {
  const search = new AddressSearch(email);
  const { host } = session;
  const found = session.listing('found');
  const bar = session.progress('looked at', null);
  let places = 0;
  let looked = 0;
  const onLooked = (count: number): void => {
    host.readerGone?.throwIfAborted();
    bar.step(count - looked);
    looked = count;
  };
  try {
    for await (const place of source.find(search, onLooked)) {
      if (workspaceId !== null && place.workspaceId !== null && place.workspaceId !== workspaceId) continue;
      bar.done();
      places += 1;
      found(present(place));
    }
    const sandbox = await source.inSandbox(search);
    return conclusion(email, { places, looked, sandbox });
  } finally {
    bar.done();
  }
}

const present = ({ kind, workspaceId, id, field }: Place): Piece => ({
  text: `${kind} ${printable(id)}: ${field}${workspaceId === null ? '' : `, workspace ${workspaceId}`}\n`,
  json: { kind, workspace_id: workspaceId, id, field },
});

function conclusion(
  email: string,
  { places, looked, sandbox }: { places: number; looked: number; sandbox: SandboxCounts | null },
): Answer {
  const where = places === 0 ? 'not found' : `found in ${places} ${places === 1 ? 'place' : 'places'}`;
  const { mails, hookRequests } = sandbox ?? { mails: 0, hookRequests: 0 };
  const also = [counted(mails, 'mail'), counted(hookRequests, 'hook request')].filter(Boolean).join(' and ');
  const aside = also ? `It is also in ${also} in the sandbox.\n` : '';
  return {
    text: `${email} ${where}; searched ${looked.toLocaleString('en')} rows and records.\n${aside}`,
    json: {
      email,
      places,
      looked_at: looked,
      sandbox_mails: sandbox && mails,
      sandbox_hook_requests: sandbox && hookRequests,
    },
    code: places === 0 ? 0 : 1,
  };
}

const counted = (n: number, one: string): string => (n === 0 ? '' : `${n} ${n === 1 ? one : `${one}s`}`);
