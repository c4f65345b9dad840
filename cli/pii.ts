import type { Command } from 'commander';
import { openAllPersonalData, type OpenPersonalData } from '../app/operator/open-personal-data';
import { AddressSearch } from '../domain/address-search';
import { canonicalAddress, isEmailAddress } from '../schemas/email-address';
import type { Place } from '../stores/ports/personal-data';
import type { Commands, Session } from './support/command';
import { reference, type Read } from './support/input';
import { findWorkspace } from './support/lookups';
import type { Answer, Piece } from './support/output';
import { printable } from './support/text';

const address: Read<string> = (raw) => {
  const value = raw.trim();
  if (!isEmailAddress(value)) throw new RangeError('must be an email address');
  return canonicalAddress(value);
};

/** `kurir pii`: where an address still stands, in everything that is kept. */
export const piiCommand = (commands: Commands): Command =>
  commands.verb({
    name: 'pii',
    summary: 'find where an address still stands: stores, event log, attachments, caches',
    args: [['<email>', 'address']],
    options: [['--workspace <workspace>', 'only of this one (id or name), and what belongs to none']],
    examples: [
      ['pii budi@example.com', 'exit code 1 when it stands anywhere'],
      ['pii budi@example.com --workspace Demo --json', 'for programs'],
    ],
    notes: `Looks through everything that is kept, also encoded in URLs, in UTF-16 and in base64, beside the running service. What is compressed
or encrypted inside an attachment cannot be looked into. Suppression lists keep keyed hashes, not addresses. Mails in the
sandbox are counted apart: it stands for other people's mail servers.`,
    run: (input) => {
      const email = input.arg('email', address);
      const given = input.option('workspace', reference);
      return async (session) => {
        const workspace = given === undefined ? null : await findWorkspace(session.stores, given, '--workspace');
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
    const mails = await source.sandboxMails(search);
    return conclusion(email, { places, looked, mails });
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
  { places, looked, mails }: { places: number; looked: number; mails: number | null },
): Answer {
  const where = places === 0 ? 'nowhere' : `in ${places} ${places === 1 ? 'place' : 'places'}`;
  const aside = mails ? `Besides, ${mails} ${mails === 1 ? 'mail' : 'mails'} of the sandbox.\n` : '';
  return {
    text: `${email} stands ${where}; ${looked.toLocaleString('en')} rows and records looked at.\n${aside}`,
    json: { email, places, looked_at: looked, sandbox_mails: mails },
    code: places === 0 ? 0 : 1,
  };
}
