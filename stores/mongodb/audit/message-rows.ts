import { AUDITED_FACTS } from '../../../domain/audit/message-record';
import type { AuditRows } from '../../ports/audit-source';
import type { MessageDocument } from '../database/documents';
import { MESSAGE, STATE_FIELDS } from '../messages/message-fields';
import { messageFaults, type Derived } from './message-faults';

/** The fields of a message that the audit reads. */
export const AUDITED = MESSAGE.only([...AUDITED_FACTS, ...STATE_FIELDS]);
type Whole = MessageDocument & Derived;

/** A message, as the audit reads it. */
export function toMessage(document: Whole): AuditRows['messages'] {
  const { _id: id, workspaceId, contactId, domainId, campaignId, history, metadata } = document;
  return {
    message: AUDITED.decode(document),
    key: id,
    contactId,
    domainId,
    campaignId,
    history,
    metadata,
    journeyId: document.journeyId ?? null,
    journeyVersion: document.journeyVersion ?? null,
    journeyStep: document.journeyStep ?? null,
    attempts: document.attempts.map((attempt) => ({ ...attempt, reply: null, messageId: id, workspaceId })),
    hasRecipient: document.to !== null,
    isDropping: document.dropping !== undefined && document.attachmentsUntil === null,
    faults: messageFaults(document),
  };
}

/** A message as what a campaign or a journey sent. */
export function toMail({ _id: id, openedAt, clickedAt, ...document }: MessageDocument): AuditRows['mails'] {
  const { workspaceId, contactId, lane, campaignId, journeyId, journeyStep, status } = document;
  const { openedByPeopleAt = null, clickedByPeopleAt = null } = document;
  const all = { openedAt: openedAt ?? null, clickedAt: clickedAt ?? null };
  return {
    key: id,
    id,
    workspaceId,
    contactId,
    lane,
    status,
    campaignId: campaignId ?? null,
    journeyId: journeyId ?? null,
    journeyStep: journeyStep ?? null,
    noted:
      openedAt === undefined && clickedAt === undefined
        ? null
        : { all, people: { openedAt: openedByPeopleAt, clickedAt: clickedByPeopleAt } },
  };
}

const counted = (at: number | null | undefined): number => Number(typeof at === 'number');

/** A message as its hour counts it. */
export function toStatus({ _id: key, status, createdAt, ...at }: MessageDocument): AuditRows['statuses'] {
  return {
    key,
    status,
    createdAt,
    complained: counted(at.complainedAt),
    opened: counted(at.openedAt),
    clicked: counted(at.clickedAt),
    openedByPeople: counted(at.openedByPeopleAt),
    clickedByPeople: counted(at.clickedByPeopleAt),
  };
}
