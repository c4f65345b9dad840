import { v7 } from 'uuid';
import { refund, type LedgerEntry } from '../../domain/ledger/coins';
import type { Contact } from '../../domain/contacts/contact';
import { Keyring } from '../../domain/keyring';
import type { Message, MessageBody, MessageFacts } from '../../domain/messages/message';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import type { NewDomain } from '../../stores/ports/domain-store';
import type { Signal } from '../../domain/engagement/signal';
import type { SuppressionEntry } from '../../domain/contacts/suppression';
import { webhookSecretContext } from '../../domain/webhooks/webhook';
import type { ApiKey, SmtpLogin, Workspace } from '../../domain/settings/workspace';
import type { HitRecord } from '../../streams/record-values';
import type { Stores } from '../../stores/ports';
import type { NewContact } from '../../stores/ports/contact-store';
import type { Acceptance, AcceptOutcome } from '../../stores/ports/message-store';
import type { NewWebhook } from '../../stores/ports/webhook-store';
import type { NewWorkspace } from '../../stores/ports/workspace-store';
import type { OutgoingRecord, StoredRecord } from '../../streams/records';
import type { TopicName } from '../../streams/topics';
import { SOME_FACTS } from './message';
import { TEST_START } from './clock';

/** The default keyring of tests. */
export const TEST_KEYRING = new Keyring('a master secret for tests only, 32+');

let serial = 0;
/** A number that is unique in this process. */
export const nextSerial = (): number => (serial += 1);

/** An ordered id, as the service creates them: later calls with the same or a later time sort later. */
export const messageId = (at = TEST_START): string => v7({ msecs: at, seq: nextSerial() });

export function aWorkspace(overrides: Partial<NewWorkspace> = {}): NewWorkspace {
  return {
    name: `Workspace ${nextSerial()}`,
    suspended: false,
    emailModule: true,
    businessName: 'Toko Melati',
    businessAddress: 'Jl. Melati 1, Bandung',
    trackConversions: false,
    campaignApproval: false,
    unconfirmed: 'fail',
    language: 'id',
    rates: [],
    createdAt: TEST_START,
    ...overrides,
  };
}

export function aDomain(workspaceId: number, overrides: Partial<Omit<NewDomain, 'workspaceId'>> = {}): NewDomain {
  return {
    workspaceId,
    domain: `d${nextSerial()}.kurir.test`,
    status: 'active',
    dkimSelector: 'kurir',
    dkimKeySealed: 'k1.sealed',
    createdAt: TEST_START,
    ...overrides,
  };
}

export function aContact(workspaceId: number, overrides: Partial<Omit<NewContact, 'workspaceId'>> = {}): NewContact {
  const email = overrides.email ?? `penerima${nextSerial()}@contoh.test`;
  return { workspaceId, email, emailHash: TEST_KEYRING.hashAddress(email), name: null, at: TEST_START, ...overrides };
}

export function anApiKey(
  workspaceId: number,
  overrides: Partial<Omit<ApiKey, 'id' | 'workspaceId'>> = {},
): Omit<ApiKey, 'id'> {
  const key = `kurir_sk_${String(nextSerial()).padStart(32, '0')}`;
  return {
    workspaceId,
    name: 'Kunci utama',
    scopes: ['send_email'],
    hash: TEST_KEYRING.hashCredential(key),
    sealed: TEST_KEYRING.seal(key, `workspace:${workspaceId}`),
    revokedAt: null,
    createdAt: TEST_START,
    ratePerMinute: null,
    ...overrides,
  };
}

export function anSmtpLogin(
  workspaceId: number,
  overrides: Partial<Omit<SmtpLogin, 'id' | 'workspaceId'>> = {},
): Omit<SmtpLogin, 'id'> {
  const username = `kur${String(nextSerial()).padStart(6, '0')}`;
  return {
    workspaceId,
    username,
    hash: TEST_KEYRING.hashCredential(`password of ${username}`),
    sealed: TEST_KEYRING.seal(`password of ${username}`, `login:${username}`),
    createdAt: TEST_START,
    ...overrides,
  };
}

export function aWebhook(workspaceId: number, overrides: Partial<Omit<NewWebhook, 'workspaceId'>> = {}): NewWebhook {
  const url = overrides.url ?? `https://hook${nextSerial()}.contoh.test/kurir`;
  return {
    workspaceId,
    url,
    eventTypes: ['delivered', 'bounce'],
    secretSealed: TEST_KEYRING.seal(`secret of ${url}`, webhookSecretContext({ workspaceId, url })),
    isActive: true,
    createdAt: TEST_START,
    ...overrides,
  };
}

export function aSuppression(overrides: Partial<SuppressionEntry> = {}): SuppressionEntry {
  return {
    workspaceId: null,
    addressHash: TEST_KEYRING.hashAddress(`terblokir${nextSerial()}@contoh.test`),
    reason: 'manual',
    messageId: null,
    createdAt: TEST_START,
    ...overrides,
  };
}

export function aSignal(message: string, overrides: Partial<Signal> = {}): Signal {
  return { id: messageId(), messageId: message, kind: 'open', at: TEST_START, link: null, machine: null, ...overrides };
}

/** The record of a recipient's action, as a page writes it. */
export function aHit(message: string, overrides: Partial<HitRecord> = {}): HitRecord {
  const { machine: _machine, ...signal } = aSignal(message);
  return { ...signal, method: 'GET', agent: null, network: null, client: null, ...overrides };
}

/** Granted coins, or withdrawn when `amount` is negative; never bought. */
export function aGrant(workspaceId: number, amount: number, overrides: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: `topup:hadiah-${nextSerial()}`,
    workspaceId,
    kind: 'grant',
    amount,
    messageId: null,
    at: TEST_START,
    ...overrides,
  };
}

/** Everything a workspace needs to send one mail. */
export interface Sender {
  workspace: Workspace;
  domain: SendingDomain;
  contact: Contact;
}

export type SenderStores = Pick<Stores, 'workspaces' | 'domains' | 'contacts' | 'coins'>;

/** A workspace with an active domain, one subscribed contact and coins (1,000 by default). */
export async function createSender(stores: SenderStores, options: { coins?: number } = {}): Promise<Sender> {
  const workspace = await stores.workspaces.create(aWorkspace());
  const domain = await stores.domains.create(aDomain(workspace.id));
  const contact = await stores.contacts.ensure(aContact(workspace.id));
  const coins = options.coins ?? 1_000;
  if (coins !== 0) await stores.coins.post(aGrant(workspace.id, coins));
  return { workspace, domain, contact };
}

export function someFacts(sender: Sender, overrides: Partial<MessageFacts> = {}): MessageFacts {
  const createdAt = overrides.createdAt ?? TEST_START;
  return {
    ...SOME_FACTS,
    id: messageId(createdAt),
    workspaceId: sender.workspace.id,
    contactId: sender.contact.id,
    domainId: sender.domain.id,
    to: sender.contact.email,
    toText: sender.contact.email,
    subject: 'Pesanan Anda dikirim',
    fromEmail: `no-reply@${sender.domain.domain}`,
    fromName: 'Toko Melati',
    createdAt,
    ...overrides,
  };
}

/** A record of the coins topic; `attempt` tells several of one message apart. */
export function refundRecord(
  { id, workspaceId }: Pick<MessageFacts, 'id' | 'workspaceId'>,
  attempt: number,
): OutgoingRecord {
  return { topic: 'coins.entries', key: String(workspaceId), value: refund(workspaceId, id, attempt, TEST_START) };
}

export interface AcceptanceOptions extends Partial<Omit<Acceptance, 'facts' | 'body'>> {
  facts?: Partial<Acceptance['facts']>;
  body?: Partial<MessageBody>;
}

/** One accepted mail of the sender to its contact. */
export function anAcceptance(sender: Sender, options: AcceptanceOptions = {}): Acceptance {
  const { facts: factOverrides, body, ...rest } = options;
  const { contactId, ...facts } = someFacts(sender, factOverrides);
  return {
    facts,
    recipient: { contact: contactId },
    body: { html: '<p>Halo {{nama|Kak}}</p>', text: null, ...body },
    attachments: [],
    attachmentsUntil: null,
    idempotencyKey: null,
    records: [],
    ...rest,
  };
}

/** Accepts a list of one mail; returns its outcome. */
export async function acceptOne(
  messages: Pick<Stores['messages'], 'accept'>,
  acceptance: Acceptance,
): Promise<AcceptOutcome> {
  const [outcome] = await messages.accept([acceptance]);
  return outcome!;
}

/** Accepts one mail and returns it as stored. */
export async function acceptMessage(
  stores: Pick<Stores, 'messages'>,
  sender: Sender,
  options: AcceptanceOptions = {},
): Promise<Message> {
  const acceptance = anAcceptance(sender, options);
  const outcome = await acceptOne(stores.messages, acceptance);
  const message = await stores.messages.get(acceptance.facts.id);
  if (outcome.kind !== 'accepted' || !message) throw new Error(`not accepted: ${outcome.kind}`);
  return message;
}

/** A value as stored in the log, in version 1. */
export const storedRecord = <T extends TopicName>(topic: T, value: unknown): StoredRecord & { topic: T } => ({
  topic,
  partition: 0,
  offset: 1,
  key: 'k',
  version: 1,
  forGroup: null,
  value,
  at: TEST_START,
});
