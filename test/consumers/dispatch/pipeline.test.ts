import { describe, expect, it } from '@jest/globals';
import { NOT_IN_STORE } from '../../../consumers/not-in-store';
import { pino } from 'pino';
import type { DispatchDeps } from '../../../consumers/dispatch/deps';
import { MailsInHand } from '../../../consumers/dispatch/mails-in-hand';
import { dispatchPipeline } from '../../../consumers/dispatch/pipeline';
import type { HandOffJob, Message } from '../../../domain/messages/message';
import { dkimContext, type SendingDomain } from '../../../domain/settings/sending-domain';
import { Activity } from '../../../lib/activity';
import { AttachmentsGoneError, poolComposer, type ComposeJob } from '../../../email/composing/composer';
import { generateDkimKey } from '../../../email/dkim-key';
import type { Envelope } from '../../../email/transports/transport';
import type { Decide } from '../../../stores/ports/message-store';
import { aWorkspace, someFacts, TEST_KEYRING, type Sender } from '../../support/builders';
import { frozenClock, TEST_START } from '../../support/clock';

const SENDER = { workspace: { id: 1 }, contact: { id: 2, email: 'budi@a.test' }, domain: { id: 3, domain: 'a.test' } };
const CLAIMED = {
  status: 'sending',
  attempt: 1,
  fence: null,
  unknown: false,
  version: 1,
  attachmentsUntil: 1,
} as const;

/** A dispatch over one claimed message with an attachment, whose composer loses what it is given so many times. */
async function dispatching(losses: number, facts: Partial<Message> = {}, html = '<p>Halo</p>') {
  let message = { ...someFacts(SENDER as Sender), ...CLAIMED, ...facts } as unknown as Message;
  const { privateKeyPem } = await generateDkimKey();
  const domain = {
    domain: 'a.test',
    dkimSelector: 'k1',
    dkimKeySealed: TEST_KEYRING.seal(privateKeyPem, dkimContext('a.test')),
  };
  const seen = { loaded: 0, handedOver: [] as string[], envelopes: [] as Envelope[], message: () => message };
  const job = async (): Promise<HandOffJob> => {
    seen.loaded += 1;
    const attachments = [{ filename: 'nota.txt', contentType: 'text/plain', content: Buffer.alloc(9, 'rahasia 1') }];
    return { message, contact: null, body: { html, text: null }, attachments, preheader: null };
  };
  const change = async (_id: string, decide: Decide) => {
    const decided = decide(message);
    if (decided) message = { ...message, ...decided.set, version: message.version + 1 };
    return { applied: decided !== null, message };
  };
  const compose = (job: ComposeJob, owner: number) => {
    if (seen.loaded > losses) return poolComposer.compose(job, owner);
    structuredClone(null, { transfer: job.attachments.map(({ content }) => content.buffer as ArrayBuffer) });
    return Promise.reject(new AttachmentsGoneError('the thread is gone'));
  };
  const deps = {
    stores: {
      messages: { job, change },
      workspaces: { get: async () => aWorkspace() },
      domains: { get: async () => domain as SendingDomain },
    },
    composer: { compose },
    maxMail: 30_000_000,
    transport: {
      largestMail: () => null,
      handOff: async (envelope: Envelope, raw: Buffer, fence: () => Promise<boolean>) => {
        seen.envelopes.push(envelope);
        if (await fence()) seen.handedOver.push(raw.toString('latin1'));
        return { kind: 'sent', reply: '250 ok' };
      },
    },
    keyring: TEST_KEYRING,
    clock: frozenClock(),
    publicUrl: () => 'https://k.test',
    evidenceWait: 60_000,
    newToken: () => 'token',
    isLeaseValid: () => true,
    serverOf: () => 'bulk',
    logger: pino({ level: 'silent' }),
  } as unknown as DispatchDeps;
  const inHand = new MailsInHand({ mails: 1, memory: 1_000_000, activity: new Activity() });
  const run = (more: { server?: string } = {}) =>
    dispatchPipeline(deps, inHand)({ messageId: message.id, attempt: 1, ...more });
  return { seen, run };
}

describe('a mail whose attachments were lost with the compose worker', () => {
  it('is loaded once more and handed over whole, within the same attempt', async () => {
    const { seen, run } = await dispatching(1);
    await run();
    expect(seen.loaded).toBe(2);
    expect(seen.handedOver).toHaveLength(1);
    expect(seen.handedOver[0]).toContain(Buffer.from('rahasia 1').toString('base64'));
    expect(seen.message()).toMatchObject({ status: 'sent_to_mta', attempt: 1, dispatchedAt: TEST_START });
  });

  it('is never handed over without them: the second time it is a refusal', async () => {
    const { seen, run } = await dispatching(2);
    await run();
    expect(seen.handedOver).toEqual([]);
    expect(seen.message().status).toBe('queued');
  });
});

describe('a mail', () => {
  const PAGE = '<p>Halo <a href="https://toko.example/">toko</a></p>';
  const sent = async (facts: Partial<Message>) => {
    const { seen, run } = await dispatching(0, facts, PAGE);
    await run();
    return seen.handedOver.join('').replaceAll('=\r\n', '');
  };

  it('goes over the server that its claim names, and otherwise over its usual one, which its envelope names always', async () => {
    const { seen, run } = await dispatching(0);
    await run({ server: 'new' });
    expect(seen.envelopes).toMatchObject([{ server: 'new', usual: 'bulk' }]);
    const unclaimed = await dispatching(0);
    await unclaimed.run();
    expect(unclaimed.seen.envelopes).toMatchObject([{ server: 'bulk', usual: 'bulk' }]);
  });

  it('of no category has a footer, an open pixel and tracked links', async () => {
    const raw = await sent({ category: null });
    for (const part of ['Berhenti berlangganan', '/t/o/', '/t/c/']) expect(raw).toContain(part);
    expect(raw).toMatch(/^List-Unsubscribe: <https:\/\/k.test\/u\//m);
    expect(raw).toMatch(/^List-Unsubscribe-Post: /m);
  });

  // spec: docs/contract.md#transactional-mail: no footer, pixel, tracked links or unsubscribe headers
  it('of the category transactional has no footer, open pixel, tracked links and unsubscribe headers', async () => {
    const raw = await sent({ category: 'transactional' });
    expect(raw).not.toMatch(/Berhenti berlangganan|\/t\/o\/|\/t\/c\//);
    expect(raw).toContain('https://toko.example/');
    expect(raw).not.toMatch(/^List-Unsubscribe/m);
    expect(raw).toMatch(/^X-Subscriber-id: /m);
  });

  // spec: docs/contract.md#transactional-mail: tracked links by the operator's word
  it('of the category transactional has tracked links, and nothing else, where its domain has them', async () => {
    const raw = await sent({ category: 'transactional', trackClicks: true });
    expect(raw).toContain('/t/c/');
    expect(raw).not.toMatch(/Berhenti berlangganan|\/t\/o\/|^List-Unsubscribe|href=3D"https:\/\/toko/m);
  });
});

describe('a claim whose message', () => {
  const claimOf = async (stored: boolean) => {
    const { message } = (await dispatching(0)).seen;
    const messages = { job: async () => null, get: async () => (stored ? message() : null) };
    const deps = { stores: { messages }, logger: pino({ level: 'silent' }) } as unknown as DispatchDeps;
    const inHand = new MailsInHand({ mails: 1, memory: 1_000_000, activity: new Activity() });
    return dispatchPipeline(deps, inHand)({ messageId: message().id, attempt: 1 });
  };

  it('is not in the store is parked, never done', async () => {
    expect(await claimOf(false)).toEqual({ kind: 'dead', reason: NOT_IN_STORE });
  });

  it('was handed over already is dropped', async () => {
    expect(await claimOf(true)).toMatchObject({ kind: 'drop' });
  });
});
