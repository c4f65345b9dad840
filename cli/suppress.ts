import type { Command } from 'commander';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { SUPPRESSION_REASONS, type SuppressionEntry, type SuppressionReason } from '../domain/contacts/suppression';
import { canonicalAddress, isEmailAddress } from '../schemas/rules/email-address';
import { withAddresses } from '../commands/suppressions/with-addresses';
import { address, traceOf } from './support/addresses';
import { blockAddresses } from './support/block';
import type { Commands, Session, VerbSpec } from './support/command';
import { CommandError, UsageError } from './support/errors';
import { oneOf, text, whole, type Read } from './support/input';
import type { Answer } from './support/output';
import { checkVerb } from './support/suppression-check';
import { exportVerb, importVerb } from './support/suppression-file';
import { LIST_OF, readList } from './support/suppression-list';
import { table } from './support/table';
import { jsonTime, showTime } from './support/times';

/** Addresses processed at once: they share commits. */
const AT_ONCE = 200;

async function* linesOf(stream: Readable): AsyncGenerator<string[]> {
  let lines: string[] = [];
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    lines.push(line);
    if (lines.length < AT_ONCE) continue;
    yield lines;
    lines = [];
  }
  if (lines.length > 0) yield lines;
}

async function addFile(session: Session, entry: Omit<SuppressionEntry, 'addressHash'>, file: string) {
  const progress = session.progress('adding', null);
  const faulty: string[] = [];
  let added = 0;
  try {
    for await (const lines of linesOf(file === '-' ? session.host.stdin : createReadStream(file))) {
      const valid = lines.flatMap((line) => {
        if (isEmailAddress(line.trim())) return [canonicalAddress(line.trim())];
        faulty.push(line);
        return [];
      });
      await blockAddresses(session, entry, valid);
      added += valid.length;
      progress.step(lines.length);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new CommandError(
      `--file: ${(error as Error).message}`,
      'Give a file with one address per line, or - for standard input.',
      '--file',
    );
  } finally {
    progress.done();
  }
  return { added, faulty };
}

const add: VerbSpec = {
  name: 'add',
  summary: 'block addresses: mail to them is refused',
  args: [['[emails...]', 'addresses']],
  options: [...LIST_OF, ['--file <path>', 'read addresses from a file, one per line; - is standard input']],
  examples: [
    ['suppress add budi@example.com --workspace "Toko Melati"', 'for one workspace, reason manual'],
    ['suppress add spamtrap@example.com --global', 'for all senders'],
    ['suppress add --workspace 3 --file blocked.txt', 'import a list'],
  ],
  run: (input) => {
    const emails = input.list('emails', address);
    const file = input.option('file', text(4_096));
    const listOf = readList(input);
    if (emails.length > 0 === (file !== undefined)) {
      throw new UsageError('Give either addresses or --file.', 'kurir suppress add --help shows how.', '<emails>');
    }
    return async (session) => {
      const { workspaceId, name } = await listOf(session);
      const reason: SuppressionReason = workspaceId === null ? 'global' : 'manual';
      const entry = { workspaceId, reason, messageId: null, createdAt: session.clock.now() };
      const keyring = await session.keyring();
      const trail = emails.map((email) => traceOf(keyring, email)).join(', ');
      await session.note('suppress add', file === undefined ? trail.slice(0, 500) : `from ${file}`, workspaceId);
      if (file !== undefined) return addedFile(name, await addFile(session, entry, file));
      await blockAddresses(session, entry, emails);
      return { text: `${emails.join(', ')}: blocked, ${name}\n`, json: { added: emails.length, not_addresses: [] } };
    };
  },
};

function addedFile(name: string, { added, faulty }: { added: number; faulty: string[] }): Answer {
  const some = faulty.slice(0, 10).map((line) => JSON.stringify(line.slice(0, 100)));
  const rest = faulty.length > some.length ? ` and ${faulty.length - some.length} more` : '';
  const lines = faulty.length > 0 ? `${faulty.length} lines are not addresses: ${some.join(', ')}${rest}\n` : '';
  return {
    text: `${added} addresses blocked, ${name}\n${lines}`,
    json: { added, not_addresses: faulty },
    code: faulty.length > 0 ? 1 : 0,
  };
}

const remove: VerbSpec = {
  name: 'remove',
  summary: 'take an address off a suppression list',
  args: [['<email>', 'address']],
  options: [
    ...LIST_OF,
    ['--reason <reason>', `only the entry of this reason, of ${SUPPRESSION_REASONS.join(', ')}; default: all`],
  ],
  examples: [['suppress remove budi@example.com --workspace 3', 'whatever the reason']],
  notes: "The contact's own status stays: one that bounced, complained or unsubscribed is still refused.",
  run: (input) => {
    const email = input.arg('email', address);
    const reason = input.option('reason', oneOf(...SUPPRESSION_REASONS));
    const listOf = readList(input);
    return async (session) => {
      const { workspaceId, name } = await listOf(session);
      const { stores } = session;
      const keyring = await session.keyring();
      const hash = keyring.hashAddress(email);
      await session.note('suppress remove', traceOf(keyring, email), workspaceId);
      const removed = await stores.suppressions.remove(workspaceId, hash, reason);
      const contact = workspaceId === null ? null : await stores.contacts.find(workspaceId, email);
      const list = workspaceId === null ? null : await stores.suppressions.reason(workspaceId, hash);
      const still = list ?? (contact && contact.status !== 'subscribed' ? contact.status : null);
      const first =
        removed > 0 ? `${email}: ${removed} entries taken off, ${name}` : `${email} was not on the list, ${name}`;
      return {
        text: `${first}\n${still ? `Mail to it is still refused: ${still}.\n` : ''}`,
        json: { email, removed, still_blocked_by: still },
        code: removed > 0 ? 0 : 1,
      };
    };
  },
};

const list: VerbSpec = {
  name: 'list',
  summary: 'a suppression list; addresses are kept as keyed hashes, so most are shown as such',
  options: [
    ...LIST_OF,
    ['--email <address>', 'only the entries of this address'],
    ['--limit <n>', 'entries at most, 1 to 1000; default: 50'],
    ['--after <entry>', 'the next page: the hash and reason of the last entry, hash:reason'],
  ],
  examples: [
    ['suppress list --workspace Demo', 'the first 50'],
    ['suppress list --workspace Demo --email budi@example.com', 'whether and why it is blocked'],
    ['suppress list --global --json', 'the global list'],
  ],
  run: (input) => {
    const limit = input.option('limit', whole(1, 1_000)) ?? 50;
    const email = input.option('email', address);
    const after = input.option('after', readCursor);
    const listOf = readList(input);
    return async (session) => {
      const { workspaceId, name } = await listOf(session);
      const entries =
        email === undefined
          ? await session.stores.suppressions.list(workspaceId, limit, after)
          : await ofAddress(session, workspaceId, email);
      const shown = await withAddresses(session.stores, entries);
      const last = entries.at(-1);
      return {
        text: table(
          session.paint,
          [{ title: 'address' }, { title: 'reason' }, { title: 'message' }, { title: 'since' }],
          shown.map((entry) => [
            email ?? entry.email ?? `#${entry.addressHash}`,
            entry.reason,
            entry.messageId,
            showTime(entry.createdAt),
          ]),
          `No addresses on ${name}.`,
        ),
        json: {
          data: shown.map((entry) => ({
            address_hash: entry.addressHash,
            email: email ?? entry.email,
            reason: entry.reason,
            message_id: entry.messageId,
            created_at: jsonTime(entry.createdAt),
          })),
          next_after:
            email === undefined && entries.length === limit && last ? `${last.addressHash}:${last.reason}` : null,
        },
      };
    };
  },
};

const readCursor: Read<{ addressHash: string; reason: string }> = (raw) => {
  const [, addressHash = '', reason = ''] = /^([\w-]{22}):(\w+)$/.exec(raw.trim()) ?? [];
  if (addressHash === '') throw new RangeError('must be next_after of the previous page');
  return { addressHash, reason };
};

async function ofAddress(session: Session, workspaceId: number | null, email: string): Promise<SuppressionEntry[]> {
  const addressHash = (await session.keyring()).hashAddress(email);
  const entries = await session.stores.suppressions.list(workspaceId, SUPPRESSION_REASONS.length, {
    addressHash,
    reason: '',
  });
  return entries.filter((entry) => entry.addressHash === addressHash);
}

/** The `kurir suppress` commands. */
export const suppressCommand = (commands: Commands): Command =>
  commands.group('suppress', 'suppression lists: addresses that get no mail', [
    add,
    remove,
    list,
    checkVerb,
    importVerb,
    exportVerb,
  ]);
