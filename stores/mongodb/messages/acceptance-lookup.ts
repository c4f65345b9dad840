import type { ContactStatus } from '../../../domain/contacts/contact';
import type { AcceptanceLookup, FirstMessage } from '../../../domain/messages/judge-acceptance';
import type { NewContact } from '../../ports/contact-store';
import type { Acceptance, Recipient } from '../../ports/message-store';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { GLOBAL } from '../contacts/suppression-store';

const pair = (workspaceId: number, text: string): string => `${workspaceId} ${text}`;
const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Values by workspace, as the branches of an `$or`. Each is a range of the index. */
function branches<T>(items: readonly { workspaceId: number; value: T }[]): { workspaceId: number; values: T[] }[] {
  const byWorkspace = new Map<number, Set<T>>();
  for (const { workspaceId, value } of items) {
    const values = byWorkspace.get(workspaceId) ?? new Set();
    byWorkspace.set(workspaceId, values.add(value));
  }
  return [...byWorkspace].map(([workspaceId, values]) => ({ workspaceId, values: [...values] }));
}

/**
 * Runs all look-ups at once, outside the transaction: they take as long as the slowest. The writes guard everything
 * that must hold.
 */
export async function lookUp(mongo: Mongo, items: readonly Acceptance[]): Promise<AcceptanceLookup> {
  const addresses = items.flatMap(({ recipient }) => ('address' in recipient ? [recipient.address] : []));
  const checked = items.flatMap(({ facts: { id, workspaceId }, recipient }) =>
    'checked' in recipient ? [{ messageId: id, workspaceId, emailHash: recipient.checked.emailHash }] : [],
  );
  const [firsts, messages, existing, contacts, suppressed, balances] = await Promise.all([
    readKeys(mongo, items),
    readMessages(
      mongo,
      checked.map(({ messageId }) => messageId),
    ),
    readStatuses(mongo, items),
    readContacts(mongo, addresses),
    readSuppressed(mongo, [...addresses, ...checked]),
    readBalances(mongo, [...addresses, ...checked]),
  ]);
  const statuses = new Map([...contacts.values()].map(({ id, status }) => [id, status]));
  return {
    withKey: (workspaceId, key) => firsts.get(pair(workspaceId, key)),
    withId: (id) => messages.get(id),
    recipientState: (workspaceId, emailHash, email) => ({
      balance: balances.get(workspaceId) ?? 0,
      suppressed: suppressed.has(pair(workspaceId, emailHash)) || suppressed.has(pair(GLOBAL, emailHash)),
      contact: email === null ? null : (contacts.get(pair(workspaceId, email))?.id ?? null),
    }),
    statusOf: (id) => existing.get(id) ?? statuses.get(id),
  };
}

async function readKeys({ db }: Mongo, items: readonly Acceptance[]) {
  const keys = branches(
    items.flatMap(({ facts: { workspaceId }, idempotencyKey: value }) =>
      value === null ? [] : [{ workspaceId, value }],
    ),
  );
  if (keys.length === 0) return new Map<string, FirstMessage>();
  const found = await documents(db, 'messages')
    .find(
      { $or: keys.map(({ workspaceId, values }) => ({ workspaceId, idempotencyKey: { $in: values } })) },
      { projection: { workspaceId: 1, idempotencyKey: 1, status: 1 } },
    )
    .toArray();
  return new Map(
    found.map(({ _id: id, workspaceId, idempotencyKey, status }) => [
      pair(workspaceId, idempotencyKey!),
      { id, status },
    ]),
  );
}

async function readMessages({ db }: Mongo, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, FirstMessage>();
  const found = await documents(db, 'messages')
    .find({ _id: { $in: [...ids] } }, { projection: { status: 1 } })
    .toArray();
  return new Map(found.map(({ _id: id, status }) => [id, { id, status }]));
}

/** The status of the contacts that are named by their id. */
async function readStatuses({ db }: Mongo, items: readonly Acceptance[]): Promise<Map<number, ContactStatus>> {
  const ids = unique(items.flatMap(({ recipient }) => contactIdOf(recipient) ?? []));
  if (ids.length === 0) return new Map();
  const found = await documents(db, 'contacts')
    .find({ _id: { $in: ids } }, { projection: { status: 1 } })
    .toArray();
  return new Map(found.map(({ _id, status }) => [_id, status]));
}

function contactIdOf(recipient: Recipient): number | null {
  if ('address' in recipient) return null;
  return 'contact' in recipient ? recipient.contact : recipient.checked.id;
}

async function readContacts({ db }: Mongo, addresses: readonly NewContact[]) {
  const emails = branches(addresses.map(({ workspaceId, email: value }) => ({ workspaceId, value })));
  if (emails.length === 0) return new Map<string, { id: number; status: ContactStatus }>();
  const found = await documents(db, 'contacts')
    .find(
      { $or: emails.map(({ workspaceId, values }) => ({ workspaceId, email: { $in: values } })) },
      { projection: { workspaceId: 1, email: 1, status: 1 } },
    )
    .toArray();
  return new Map(found.map(({ _id: id, workspaceId, email, status }) => [pair(workspaceId, email), { id, status }]));
}

type Address = Pick<NewContact, 'workspaceId' | 'emailHash'>;

async function readSuppressed({ db }: Mongo, addresses: readonly Address[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const found = await documents(db, 'suppressions')
    .find(
      {
        workspaceId: { $in: unique([GLOBAL, ...addresses.map(({ workspaceId }) => workspaceId)]) },
        addressHash: { $in: unique(addresses.map(({ emailHash }) => emailHash)) },
      },
      { projection: { _id: 0, workspaceId: 1, addressHash: 1 } },
    )
    .toArray();
  return new Set(found.map(({ workspaceId, addressHash }) => pair(workspaceId, addressHash)));
}

async function readBalances({ db }: Mongo, addresses: readonly Address[]): Promise<Map<number, number>> {
  const ids = unique(addresses.map(({ workspaceId }) => workspaceId));
  if (ids.length === 0) return new Map();
  const found = await documents(db, 'accounts')
    .find({ _id: { $in: ids } }, { projection: { balance: 1 } })
    .toArray();
  return new Map(found.map(({ _id: id, balance }) => [id, balance]));
}
