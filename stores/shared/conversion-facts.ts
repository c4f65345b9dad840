import { CONVERSION_WORK, LINKED_WITHIN, type Click } from '../../domain/conversions/attribution';
import type { Conversion, StoredConversion } from '../../domain/conversions/conversion';
import type { OutgoingRecord } from '../../streams/records';
import type { ConversionCursor } from '../ports/conversion-store';
import type { DueTask } from '../ports/due-tasks';

/** Whose clicks may have led to a sale. */
export type ClickOwner =
  { kind: 'message'; messageId: string; workspaceId: number } | { kind: 'contact'; contactId: number };

/** Null when no click can have led to the sale: its contact is unknown or was deleted. */
export function clickOwner({
  messageId,
  contactId,
  workspaceId,
}: Pick<Conversion, 'messageId' | 'contactId' | 'workspaceId'>): ClickOwner | null {
  if (messageId !== null) return { kind: 'message', messageId, workspaceId };
  return contactId === null ? null : { kind: 'contact', contactId };
}

/** Whose clicks explain a sale: without its contact those of the message that it is linked to. */
export function shownClickOwner(sale: Omit<StoredConversion, 'orderId'>): ClickOwner | null {
  const { link, workspaceId } = sale;
  return clickOwner(sale) ?? (link && { kind: 'message', messageId: link.messageId, workspaceId });
}

/** The due work that looks at a sale for the last time. */
export const conversionTask = ({ id, workspaceId, receivedAt }: Conversion): DueTask => ({
  kind: CONVERSION_WORK,
  id,
  workspaceId,
  lane: '',
  dueAt: receivedAt + LINKED_WITHIN,
  payload: {},
});

/** The record of a sale that was reported. It leaves out the order id, which is erased with the contact. */
export const reportedRecord = ({ orderId: _, ...sale }: Conversion): OutgoingRecord => ({
  topic: 'conversions',
  key: String(sale.workspaceId),
  value: { kind: 'reported', ...sale, clickedAt: null },
});

/** The record of a sale that was linked. `contactId`: the contact of the click's message, if it still exists. */
export function linkedRecord(
  { id, workspaceId, amount, occurredAt, receivedAt }: Conversion,
  click: Click,
  contactId: number | null,
): OutgoingRecord {
  const facts = { id, workspaceId, amount, occurredAt, receivedAt };
  return {
    topic: 'conversions',
    key: String(workspaceId),
    value: { kind: 'linked', ...facts, messageId: click.messageId, contactId, clickedAt: click.at },
  };
}

/** The first `limit` places of several lists, oldest first. */
export const mergeCursors = (limit: number, ...lists: readonly ConversionCursor[][]): ConversionCursor[] =>
  lists
    .flat()
    .sort((a, b) => a.occurredAt - b.occurredAt || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
