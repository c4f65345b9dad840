import { ValueError } from '../../lib/reason';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { SUPPRESSION_REASONS } from '../../domain/contacts/suppression';
import { canonicalAddress, isEmailAddress } from '../../schemas/rules/email-address';
import { presentSuppressionCheck } from '../../schemas/responses/suppression';
import { traceOf } from '../trail';
import { blockByHand, blockedBy, entriesOf, unblock } from './block';
import { withAddresses } from './with-addresses';
import { checkList, LIST_OF, listOf } from './suppression-list';
import {
  address,
  argument,
  facts,
  FileContent,
  limit,
  list as listArgument,
  oneOf,
  operation,
  OperationError,
  option,
  type Read,
  type Session,
  streamedFile,
  UsageError,
  why,
  rule,
} from '../definition';
import { counted } from '../../lib/counted';

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

function openFile({ stdin }: Session, file: string | FileContent): Readable {
  if (file instanceof FileContent) return Readable.from([file.text]);
  return file === '-' ? stdin : createReadStream(file);
}

async function addFile(session: Session, workspaceId: number | null, file: string | FileContent) {
  const { stores, clock } = session;
  const keyring = await session.keyring();
  const now = clock.now();
  const progress = session.progress('adding', null);
  const faulty: string[] = [];
  let added = 0;
  try {
    for await (const lines of linesOf(openFile(session, file))) {
      const valid = lines.map((line) => line.trim()).filter(isEmailAddress);
      faulty.push(...lines.filter((line) => !isEmailAddress(line.trim())));
      await blockByHand(stores, keyring, workspaceId, valid.map(canonicalAddress), now);
      added += valid.length;
      progress.step(lines.length);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    const fix = 'Use a file with one email address per line, or - for standard input.';
    throw new OperationError(why('at', { label: '--file', reason: (error as Error).message }), fix);
  } finally {
    progress.done();
  }
  return { added, not_addresses: faulty };
}

function addedText(name: string, added: number, faulty: readonly string[]): string {
  const some = faulty.slice(0, 10).map((line) => JSON.stringify(line.slice(0, 100)));
  const rest = faulty.length > some.length ? ` and ${faulty.length - some.length} more` : '';
  const lines =
    faulty.length > 0
      ? `${counted(faulty.length, 'line is not an email address', 'lines are not email addresses')}: ${some.join(', ')}${rest}\n`
      : '';
  return `${counted(added, 'address', 'addresses')} suppressed, ${name}\n${lines}`;
}

const add = operation('suppress.add', 'developer', {
  summary: 'suppress addresses: email to them is rejected',
  arguments: { emails: listArgument('addresses', address) },
  options: {
    ...LIST_OF,
    file: streamedFile('read addresses from a file, one per line; - is standard input'),
  },
  examples: [
    ['suppress add budi@example.com --workspace "Toko Melati"', 'for one workspace, reason manual'],
    ['suppress add spamtrap@example.com --global', 'for all workspaces'],
    ['suppress add --workspace 3 --file blocked.txt', 'import a list'],
  ],
  check: (given) => {
    checkList(given);
    if (given.emails.length > 0 !== (given.file !== undefined)) return;
    throw new UsageError(
      why('either', { one: why('addresses'), other: '--file' }),
      'kurir suppress add --help shows how.',
      '<emails>',
    );
  },
  handler: async ({ emails, file, ...input }, session) => {
    const { workspaceId } = listOf(input);
    const keyring = await session.keyring();
    const trail = emails.map((email) => traceOf({ email, emailHash: keyring.hashAddress(email) })).join(', ');
    await session.note(
      'suppress add',
      file === undefined ? trail.slice(0, 500) : `from ${file instanceof FileContent ? 'a file' : file}`,
      workspaceId,
    );
    if (file !== undefined) return addFile(session, workspaceId, file);
    await blockByHand(session.stores, keyring, workspaceId, emails, session.clock.now());
    return { added: emails.length, not_addresses: [] };
  },
  code: ({ not_addresses: faulty }) => (faulty.length > 0 ? 1 : 0),
  text: ({ added, not_addresses: faulty }, _, { emails, file, ...input }) => {
    const { name } = listOf(input);
    return file === undefined ? `${emails.join(', ')}: suppressed, ${name}\n` : addedText(name, added, faulty);
  },
});

const remove = operation('suppress.remove', 'developer', {
  irreversible: true,
  summary: 'remove an address from a suppression list',
  arguments: { email: argument('address', address) },
  options: {
    ...LIST_OF,
    reason: option(
      '<reason>',
      `only entries with this reason (${SUPPRESSION_REASONS.join(', ')}); default: all`,
      oneOf(...SUPPRESSION_REASONS),
    ),
  },
  examples: [['suppress remove budi@example.com --workspace 3', 'all reasons']],
  notes:
    'The status of the contact does not change: a bounced, complained or unsubscribed contact still cannot receive email.',
  check: checkList,
  handler: async ({ email, reason, ...input }, session) => {
    const { workspaceId } = listOf(input);
    const { stores } = session;
    const keyring = await session.keyring();
    await session.note('suppress remove', traceOf({ email, emailHash: keyring.hashAddress(email) }), workspaceId);
    const removed = await unblock(stores, keyring, workspaceId, email, reason);
    const still = workspaceId === null ? null : await blockedBy(stores, keyring, workspaceId, email);
    return { email, removed, still_blocked_by: still };
  },
  code: ({ removed }) => (removed > 0 ? 0 : 1),
  text: ({ email, removed, still_blocked_by: still }, _, input) => {
    const done = removed > 0 ? `: ${counted(removed, 'entry', 'entries')} removed` : ' was not on the list';
    return `${email}${done}, ${listOf(input).name}\n${still ? `It still cannot receive email: ${still}.\n` : ''}`;
  },
});

const check = operation('suppress.check', 'viewer', {
  summary: 'check whether an address is suppressed, and why; exit code 1 if it is',
  arguments: { email: argument('address', address) },
  options: LIST_OF,
  examples: [['suppress check budi@example.com --workspace 3', 'the lists and the status of the contact']],
  check: checkList,
  handler: async ({ email, ...input }, session) => {
    const keyring = await session.keyring();
    return presentSuppressionCheck(email, await blockedBy(session.stores, keyring, listOf(input).workspaceId, email));
  },
  code: ({ can_send: can }) => (can ? 0 : 1),
  text: ({ email, reason }, _, input) =>
    `${email}: ${reason === null ? 'not suppressed' : `blocked, ${reason}`}, ${listOf(input).name}\n`,
});

const readCursor: Read<{ addressHash: string; reason: string }> = (raw) => {
  const [, addressHash = '', reason = ''] = /^([\w-]{22}):(\w+)$/.exec(raw.trim()) ?? [];
  if (addressHash === '') throw new ValueError(rule('cursor'));
  return { addressHash, reason };
};

const list = operation('suppress.list', 'viewer', {
  summary: 'list a suppression list; addresses are stored as keyed hashes, so most are shown as hashes',
  options: {
    ...LIST_OF,
    email: option('<address>', 'only the entries of this address', address),
    limit: limit('entries'),
    after: option('<entry>', 'the next page: the hash and reason of the last entry, hash:reason', readCursor),
  },
  examples: [
    ['suppress list --workspace Demo', 'the first 50'],
    ['suppress list --workspace Demo --email budi@example.com', 'whether and why it is suppressed'],
    ['suppress list --global --json', 'the global list'],
  ],
  check: checkList,
  handler: async ({ email, limit, after, ...input }, session) => {
    const { workspaceId } = listOf(input);
    const entries =
      email === undefined
        ? await session.stores.suppressions.list(workspaceId, limit, after)
        : await entriesOf(session.stores, workspaceId, (await session.keyring()).hashAddress(email));
    const last = email === undefined && entries.length === limit ? entries.at(-1) : undefined;
    return {
      data: (await withAddresses(session.stores, entries)).map((entry) => ({
        ...facts(entry, 'addressHash'),
        email: email ?? entry.email,
        ...facts(entry, 'reason', 'messageId', 'createdAt'),
      })),
      next_after: last ? `${last.addressHash}:${last.reason}` : null,
    };
  },
  columns: {
    address: (entry) => entry.email ?? `#${entry.address_hash}`,
    reason: 'reason',
    message: 'message_id',
    since: 'created_at',
  },
  none: (input) => `No addresses on ${listOf(input).name}.`,
});

export const SUPPRESS = { add, remove, list, check };
