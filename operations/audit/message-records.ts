import type { MessageRecord } from '../../domain/audit/message-record';
import { isReadable } from '../../domain/audit/stored-json';
import type { AuditSnapshot, MessageRow } from '../../stores/ports/audit-source';
import { byKey, find, grouped } from './rows';

/** A message with everything that belongs to it, and its derived fields that do not match it. */
export type FoundMessage = MessageRecord & Pick<MessageRow, 'faults'>;

/** The messages of a workspace in order of acceptance, each with all its stored data. */
export async function* messageRecords(rows: AuditSnapshot, workspaceId: number): AsyncGenerator<FoundMessage[]> {
  for await (const page of rows.scan('messages', workspaceId)) yield withBelongings(rows, workspaceId, page);
}

async function withBelongings(
  rows: AuditSnapshot,
  workspaceId: number,
  page: readonly MessageRow[],
): Promise<FoundMessage[]> {
  const keys = page.map(({ key }) => key);
  const contactIds = page.map(({ contactId }) => contactId);
  const contacts = byKey(await find(rows, 'contacts', 'id', contactIds), ({ id }) => id);
  const leaving = byKey(await find(rows, 'leaving', 'id', contactIds), ({ id }) => id);
  const domainIds = page.map(({ domainId }) => domainId);
  const domains = byKey(await find(rows, 'domains', 'id', domainIds), ({ id }) => id);
  const attachments = grouped(await find(rows, 'attachments', 'of', keys), ({ of }) => of);
  const coins = await coinsOf(rows, workspaceId, page);
  const hasBody = await bodiesOf(rows, page);
  return page.map((row) => {
    const { message, key, history, attempts, hasRecipient, faults } = row;
    const contact = contacts.get(row.contactId);
    const owner = contact ?? (hasRecipient ? leaving.get(row.contactId) : undefined);
    const held = row.isDropping ? [] : (attachments.get(key) ?? []);
    return {
      message,
      history,
      attempts,
      hasRecipient,
      faults,
      coins: coins.get(message.id) ?? [],
      hasBody: hasBody(row),
      metadataReadable: isReadable(row.metadata),
      attachments: new Set(held.map(({ n }) => n)).size,
      domainWorkspaceId: domains.get(row.domainId)?.workspaceId ?? null,
      contactWorkspaceId: owner?.workspaceId ?? null,
      contactStatus: contact?.status ?? null,
    };
  });
}

/** The ids of a message's ledger rows start with one of three prefixes. */
async function coinsOf(rows: AuditSnapshot, workspaceId: number, page: readonly MessageRow[]) {
  const coins: MessageRecord['coins'][number][] = [];
  for (const kind of ['debit', 'refund', 'penalty']) {
    const prefixes = page.map(({ message: { id } }) => [workspaceId, `${kind}:${id}`] as const);
    coins.push(...(await find(rows, 'ledger', 'prefix', prefixes)));
  }
  return grouped(coins, ({ id }) => id.split(':')[1]);
}

const mailKey = ({ journeyId, journeyVersion, journeyStep }: MessageRow): readonly [number, number, number] | null =>
  journeyId === null || journeyVersion === null || journeyStep === null
    ? null
    : [journeyId, journeyVersion, journeyStep];

/** Tells which messages have content: their own, or that of their campaign or of their step of a journey. */
async function bodiesOf(rows: AuditSnapshot, page: readonly MessageRow[]): Promise<(row: MessageRow) => boolean> {
  const bodies = await find(rows, 'bodies', 'of', keysOf(page));
  const filled = new Set(bodies.filter(({ isFilled }) => isFilled).map(({ of }) => of));
  const sent = await find(
    rows,
    'campaigns',
    'id',
    page.map(({ campaignId }) => campaignId),
  );
  const campaigns = new Set<number | null>(sent.filter(({ isFilled }) => isFilled).map(({ id }) => id));
  const steps = new Set((await find(rows, 'journeyMails', 'key', page.map(mailKey))).map(({ key }) => key));
  return (row) =>
    filled.has(row.key) ||
    (row.message.lane === 'campaign' && campaigns.has(row.campaignId)) ||
    steps.has(mailKey(row)?.join(':') ?? '');
}

const keysOf = (page: readonly MessageRow[]) => page.map(({ key }) => key);
