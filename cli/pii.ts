import {
  openAllPersonalData,
  type OpenPersonalData,
  type SandboxCounts,
} from '../operations/installation/open-personal-data';
import { AddressSearch } from '../domain/addresses/address-search';
import { printable } from '../lib/printable';
import type { Place } from '../stores/ports/personal-data';
import { terminalCommand, type CliCommand, type Terminal } from './support/command';
import { address, argument, workspaceOption, type Piece } from '../operations/definition';

/** `kurir pii`: where an address is still stored. */
export const PII_COMMANDS: readonly CliCommand[] = [
  terminalCommand('pii', {
    arguments: { email: argument('address', address) },
    options: {
      workspace: workspaceOption('only in this workspace (id or name), and in data that belongs to no workspace'),
    },
    examples: [
      ['pii budi@example.com', 'exit code 1 if it is found anywhere'],
      ['pii budi@example.com --workspace Demo --json', 'for programs'],
    ],
    notes: `Searches all stored data, including URL-encoded, UTF-16 and base64 forms; the service may keep running. It cannot search
compressed or encrypted attachments. Suppression lists store keyed hashes, not addresses. Emails and webhook requests in
the sandbox are counted separately, because the sandbox plays other people's servers.`,
    handler: async ({ email, workspace }, session) => {
      const source = await openAllPersonalData(session.config, session.tools);
      try {
        return { email, ...(await look(session, source, email, workspace?.id ?? null)) };
      } finally {
        await source.close();
      }
    },
    code: ({ places }) => (places === 0 ? 0 : 1),
    json: ({ email, places, looked, sandbox }) => ({
      email,
      places,
      looked_at: looked,
      sandbox_mails: sandbox && sandbox.mails,
      sandbox_hook_requests: sandbox && sandbox.hookRequests,
    }),
    text: ({ email, places, looked, sandbox }) => {
      const where = places === 0 ? 'not found' : `found in ${places} ${places === 1 ? 'place' : 'places'}`;
      return `${email} ${where}; searched ${looked.toLocaleString('en')} rows and records.\n${asideText(sandbox)}`;
    },
  }),
];

/** Lists each place as it is found. */
async function look(terminal: Terminal, source: OpenPersonalData, email: string, workspaceId: number | null) {
  const search = new AddressSearch(email);
  const found = terminal.listing('found');
  const bar = terminal.progress('searched', null);
  let places = 0;
  let looked = 0;
  const onLooked = (count: number): void => {
    terminal.host.readerGone?.throwIfAborted();
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
    return { places, sandbox: await source.inSandbox(search), looked };
  } finally {
    bar.done();
  }
}

const present = ({ kind, workspaceId, id, field }: Place): Piece => ({
  text: `${kind} ${printable(id)}: ${field}${workspaceId === null ? '' : `, workspace ${workspaceId}`}\n`,
  json: { kind, workspace_id: workspaceId, id, field },
});

function asideText(sandbox: SandboxCounts | null): string {
  const { mails, hookRequests } = sandbox ?? { mails: 0, hookRequests: 0 };
  const also = [counted(mails, 'email'), counted(hookRequests, 'webhook request')].filter(Boolean).join(' and ');
  return also ? `Also found in ${also} in the sandbox.\n` : '';
}

const counted = (n: number, one: string): string => (n === 0 ? '' : `${n} ${n === 1 ? one : `${one}s`}`);
