import type { Attachment, MessageFacts } from '../../../domain/message';
import type { OutgoingRecord } from '../../../streams/records';
import type { NewContact } from '../../ports/contact-store';
import type { Acceptance } from '../../ports/message-store';

/**
 * An Acceptance as it passes between threads: values without their names, of which there are thirty. Those took half of what
 * writing and reading it cost, 3 us on either side.
 */
export type AcceptanceRow = readonly [
  facts: FactValues,
  addressee: AddresseeValues | null,
  html: string,
  text: string | null,
  attachments: readonly Attachment[],
  attachmentsUntil: number | null,
  idempotencyKey: string | null,
  records: readonly OutgoingRecord[],
];

type F = MessageFacts;
type FactValues = readonly [
  ...[F['id'], F['workspaceId'], F['contactId'], F['domainId'], F['channel'], F['lane'], F['campaignId'], F['to']],
  ...[F['toText'], F['subject'], F['fromEmail'], F['fromName'], F['replyTo'], F['metadata'], F['createdAt']],
];
type AddresseeValues = readonly [
  workspaceId: number,
  email: string,
  emailHash: string,
  name: string | null,
  at: number,
];

/** The row of an acceptance. */
export function toAcceptanceRow(acceptance: Acceptance): AcceptanceRow {
  const { facts: f, addressee } = acceptance;
  return [
    // prettier-ignore
    [f.id, f.workspaceId, f.contactId, f.domainId, f.channel, f.lane, f.campaignId, f.to, f.toText, f.subject, f.fromEmail,
      f.fromName, f.replyTo, f.metadata, f.createdAt],
    addressee ? [addressee.workspaceId, addressee.email, addressee.emailHash, addressee.name, addressee.at] : null,
    acceptance.body.html,
    acceptance.body.text,
    acceptance.attachments,
    acceptance.attachmentsUntil,
    acceptance.idempotencyKey,
    acceptance.records,
  ];
}

/** The acceptance of a row. */
export function toAcceptance(row: AcceptanceRow): Acceptance {
  const [facts, addressee, html, text, attachments, attachmentsUntil, idempotencyKey, records] = row;
  const acceptance: Acceptance = {
    facts: toFacts(facts),
    body: { html, text },
    attachments,
    attachmentsUntil,
    idempotencyKey,
    records,
  };
  if (addressee) acceptance.addressee = toAddressee(addressee);
  return acceptance;
}

function toFacts(values: FactValues): MessageFacts {
  return {
    id: values[0],
    workspaceId: values[1],
    contactId: values[2],
    domainId: values[3],
    channel: values[4],
    lane: values[5],
    campaignId: values[6],
    to: values[7],
    toText: values[8],
    subject: values[9],
    fromEmail: values[10],
    fromName: values[11],
    replyTo: values[12],
    metadata: values[13],
    createdAt: values[14],
  };
}

function toAddressee([workspaceId, email, emailHash, name, at]: AddresseeValues): NewContact {
  return { workspaceId, email, emailHash, name, at };
}
