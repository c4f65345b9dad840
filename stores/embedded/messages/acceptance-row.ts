import type { Attachment } from '../../../domain/message';
import type { OutgoingRecord } from '../../../streams/records';
import type { NewContact } from '../../ports/contact-store';
import type { Acceptance } from '../../ports/message-store';

/**
 * An Acceptance as it passes between threads: values without their names, of which there are thirty. Those took half of what
 * writing and reading it cost, 3 us on either side.
 */
export type AcceptanceRow = readonly [
  facts: FactValues,
  recipient: AddressValues | number,
  html: string,
  text: string | null,
  attachments: readonly Attachment[],
  attachmentsUntil: number | null,
  idempotencyKey: string | null,
  records: readonly OutgoingRecord[],
];

type F = Acceptance['facts'];
type FactValues = readonly [
  ...[F['id'], F['workspaceId'], F['domainId'], F['channel'], F['lane'], F['campaignId'], F['to']],
  ...[F['toText'], F['subject'], F['fromEmail'], F['fromName'], F['replyTo'], F['metadata'], F['createdAt']],
];
type AddressValues = readonly [workspaceId: number, email: string, emailHash: string, name: string | null, at: number];

/** The row of an acceptance. */
export function toAcceptanceRow(acceptance: Acceptance): AcceptanceRow {
  const { facts: f, recipient } = acceptance;
  return [
    // prettier-ignore
    [f.id, f.workspaceId, f.domainId, f.channel, f.lane, f.campaignId, f.to, f.toText, f.subject, f.fromEmail,
      f.fromName, f.replyTo, f.metadata, f.createdAt],
    'contact' in recipient ? recipient.contact : toAddressValues(recipient.address),
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
  const [facts, recipient, html, text, attachments, attachmentsUntil, idempotencyKey, records] = row;
  return {
    facts: toFacts(facts),
    recipient: typeof recipient === 'number' ? { contact: recipient } : { address: toAddress(recipient) },
    body: { html, text },
    attachments,
    attachmentsUntil,
    idempotencyKey,
    records,
  };
}

function toFacts(values: FactValues): F {
  return {
    id: values[0],
    workspaceId: values[1],
    domainId: values[2],
    channel: values[3],
    lane: values[4],
    campaignId: values[5],
    to: values[6],
    toText: values[7],
    subject: values[8],
    fromEmail: values[9],
    fromName: values[10],
    replyTo: values[11],
    metadata: values[12],
    createdAt: values[13],
  };
}

const toAddressValues = ({ workspaceId, email, emailHash, name, at }: NewContact): AddressValues => [
  workspaceId,
  email,
  emailHash,
  name,
  at,
];

function toAddress([workspaceId, email, emailHash, name, at]: AddressValues): NewContact {
  return { workspaceId, email, emailHash, name, at };
}
