import { describe, expect, it } from '@jest/globals';
import type { AttemptEnd } from '../../../../consumers/dispatch/attempt-end';
import { handOff, type HandOffDeps } from '../../../../consumers/dispatch/steps/hand-off';
import { recordOutcome } from '../../../../consumers/dispatch/steps/record-outcome';
import { expectTaken } from '../../../../consumers/postfix-log/expect-taken';
import { OutcomePublisher } from '../../../../operations/messages/publish-outcome';
import { sent } from '../../../../domain/messages/lifecycle';
import type { Message } from '../../../../domain/messages/message';
import type { HandOffOutcome, Transport } from '../../../../email/transports/transport';
import { DAY } from '../../../../lib/clock';
import { UnavailableError } from '../../../../lib/errors';
import type { MessageStore } from '../../../../stores/ports/message-store';
import { acceptAndClaim, claim } from '../../../contract/claiming';
import { openTemporary } from '../../../contract/embedded/open';
import { sharedEngine } from '../../../contract/harness';
import { createSender, type Sender } from '../../../support/builders';

const subject = sharedEngine(openTemporary);
const ENVELOPE = { from: 'b-1@bounce.a.test', to: 'a@x.test', envid: '1' };
const RAW = Buffer.from('Subject: hi\r\n\r\nhello\r\n');
const LINKS = ['https://a.test/1', 'https://a.test/2'];
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A transport that keeps its port's promises, and what it was given. */
function fencingTransport(outcome: HandOffOutcome = { kind: 'sent', reply: '250 ok' }, server?: string) {
  const seen = { mails: [] as unknown[], fences: 0 };
  const transport: Transport = {
    largestMail: () => null,
    handOff: async (envelope, raw, fence) => {
      seen.fences += 1;
      try {
        if (!(await fence(server))) return { kind: 'fenced_out', reason: 'The fence refused the hand-off.' };
      } catch (error) {
        return { kind: 'fenced_out', reason: `The fence failed: ${(error as Error).message}` };
      }
      seen.mails.push({ envelope, raw });
      return outcome;
    },
    close: async () => undefined,
  };
  return { transport, seen };
}

const newSender = (): Promise<Sender> => createSender(subject.stores);
const claimed = async (sender?: Sender): Promise<Message> => acceptAndClaim(subject, sender ?? (await newSender()));
const read = async ({ id }: Message): Promise<Message> => (await subject.stores.messages.get(id))!;

let tokens = 0;
function depsOf(change: Partial<HandOffDeps> = {}): HandOffDeps {
  return {
    messages: subject.stores.messages,
    transport: fencingTransport().transport,
    clock: subject.clock,
    newToken: () => `token-${(tokens += 1)}`,
    isLeaseValid: () => true,
    ...change,
  };
}
const send = (message: Message, change: Partial<HandOffDeps> = {}, destinations: string[] = []): Promise<AttemptEnd> =>
  handOff(depsOf(change))(message, { envelope: ENVELOPE, raw: RAW, destinations });
const record = (end: AttemptEnd) =>
  recordOutcome({ messages: subject.stores.messages, clock: subject.clock, evidenceWait: 4 * DAY, logger })(end);
/** The store as it is, but for `change`. */
const storeWith = (change: (real: MessageStore['change']) => MessageStore['change']): Pick<MessageStore, 'change'> => {
  const { messages } = subject.stores;
  return { change: change((...args) => messages.change(...args)) };
};

describe('a hand-off that passes the fence', () => {
  it('stores its token and the links before the mail goes out, and knows the message as it is then', async () => {
    const message = await claimed();
    const { transport, seen } = fencingTransport();
    const handed = await send(message, { transport, newToken: () => 'mine' }, LINKS);
    expect(seen.mails).toEqual([{ envelope: ENVELOPE, raw: RAW }]);
    expect(handed).toEqual({
      handOff: { attempt: 1, fence: 'mine' },
      unconfirmedFence: null,
      outcome: { kind: 'sent', reply: '250 ok' },
      known: await read(message),
    });
    expect(handed.known).toMatchObject({ status: 'sending', fence: 'mine', fencedAt: subject.clock.now() });
    expect(await subject.stores.messages.links(message.id)).toEqual(LINKS);
  });

  it.each<HandOffOutcome>([
    { kind: 'refused', permanent: true, reply: '550 no' },
    { kind: 'refused', permanent: false, reply: '451 later' },
    { kind: 'not_sent', reason: 'The connection ended.' },
    { kind: 'unknown', reason: 'The connection ended.' },
  ])('reports what the transport says: %j', async (outcome) => {
    const { transport } = fencingTransport(outcome);
    const handed = await send(await claimed(), { transport });
    expect(handed).toMatchObject({ outcome, unconfirmedFence: null });
    expect(handed.handOff.fence).not.toBeNull();
  });

  // spec: docs/contract.md#classes-of-bounces: at hand-off the class is recorded, and nothing else changes
  it('records the class of a refusal, ends as before, and forgets it once the mail was taken', async () => {
    const refused = async (permanent: boolean, reply: string): Promise<Message> => {
      const message = await claimed();
      await record(
        await send(message, { transport: fencingTransport({ kind: 'refused', permanent, reply }).transport }),
      );
      return read(message);
    };
    const at = subject.clock.now();
    const said = { refusedAt: at, hardBouncedAt: null };
    const unknown = await refused(true, '550 5.1.1 User unknown');
    expect(unknown).toMatchObject({ status: 'failed', refusedClass: 'address_unknown', ...said });
    const blocked = await refused(false, '421 4.7.0 blocked using zen.spamhaus.org');
    expect(blocked).toMatchObject({ status: 'queued', refusedClass: 'sender_blocked', ...said });
    const taken = sent({ ...blocked, status: 'sending', fence: 't' }, { attempt: 1, fence: 't' }, '250', at, DAY);
    expect(taken?.set).toMatchObject({ status: 'sent_to_mta', refusedClass: null, refusedAt: null });
  });

  it('replaces the links of the attempt before, also by none', async () => {
    const sender = await newSender();
    const message = await claimed(sender);
    const failing = fencingTransport({ kind: 'not_sent', reason: 'The connection ended.' });
    await record(await send(message, { transport: failing.transport }, LINKS));
    expect(await subject.stores.messages.links(message.id)).toEqual(LINKS);
    subject.clock.advance(DAY);
    const now = subject.clock.now();
    const [again] = (await claim(subject, sender, { now, leaseUntil: now + DAY })).claimed;
    expect(again).toMatchObject({ id: message.id, attempt: 2 });
    expect((await send(again!)).outcome.kind).toBe('sent');
    expect(await subject.stores.messages.links(message.id)).toEqual([]);
  });
});

describe('a hand-off that may not pass the fence', () => {
  it('is left to the other hand-off of the same claim', async () => {
    const message = await claimed();
    const { transport, seen } = fencingTransport();
    const both = await Promise.all([send(message, { transport }), send(message, { transport })]);
    expect(both.map(({ outcome }) => outcome.kind).sort()).toEqual(['fenced_out', 'sent']);
    expect(seen).toMatchObject({ fences: 2, mails: [expect.anything()] });
    const [lost] = both.filter(({ outcome }) => outcome.kind === 'fenced_out');
    expect(lost).toMatchObject({ handOff: { fence: null }, unconfirmedFence: null });
    expect(await record(lost!)).toMatchObject({ kind: 'drop' });
    expect((await read(message)).fence).not.toBeNull();
  });

  it('is fenced out of a claim that is over', async () => {
    const message = await claimed();
    const failing = fencingTransport({ kind: 'not_sent', reason: 'The connection ended.' });
    await record(await send(message, { transport: failing.transport }));
    const queued = await read(message);
    expect(queued.status).toBe('queued');
    const { transport, seen } = fencingTransport();
    const handed = await send(message, { transport });
    expect(handed).toMatchObject({
      outcome: { kind: 'fenced_out' },
      handOff: { attempt: 1, fence: null },
      unconfirmedFence: null,
    });
    expect(seen.mails).toEqual([]);
    expect(await read(message)).toEqual(queued);
  });

  it('says that the recipient is gone when the contact was deleted after the mail was composed', async () => {
    const sender = await newSender();
    const message = await claimed(sender);
    await subject.stores.contacts.delete(sender.workspace.id, sender.contact.id);
    const { transport, seen } = fencingTransport();
    const handed = await send(message, { transport });
    expect(handed).toMatchObject({ outcome: { kind: 'recipient_gone' }, unconfirmedFence: null });
    expect(seen.mails).toEqual([]);
    await record(handed);
    expect(await read(message)).toMatchObject({ status: 'failed', fence: null });
  });
});

describe('a process whose lease has run out', () => {
  it('before the fence rejects, and leaves the claim as it was', async () => {
    const message = await claimed();
    const { transport, seen } = fencingTransport();
    await expect(send(message, { transport, isLeaseValid: () => false })).rejects.toThrow(UnavailableError);
    expect(seen.mails).toEqual([]);
    expect(await read(message)).toEqual(message);
  });

  it('while the fence was stored sends nothing, and gives the claim back', async () => {
    const message = await claimed();
    const { transport, seen } = fencingTransport();
    let asked = 0;
    const handed = await send(message, { transport, newToken: () => 'late', isLeaseValid: () => (asked += 1) === 1 });
    expect(handed).toMatchObject({
      outcome: { kind: 'not_sent' },
      handOff: { fence: 'late' },
      unconfirmedFence: 'late',
    });
    expect(seen.mails).toEqual([]);
    expect(await read(message)).toMatchObject({ status: 'sending', fence: 'late' });
    await record(handed);
    expect(await read(message)).toMatchObject({ status: 'queued', fence: null });
  });

  it('is asked about the token of this hand-off', async () => {
    const asked: string[] = [];
    const isLeaseValid = (token: string): boolean => asked.push(token) > 0;
    await send(await claimed(), { newToken: () => 'of this one', isLeaseValid });
    expect(asked).toEqual(['of this one', 'of this one']);
  });
});

describe('a hand-off to one of several servers', () => {
  /** What `server` answered, with the log of main followed. */
  async function over(server: string, outcome: HandOffOutcome) {
    const message = await claimed();
    const { transport } = fencingTransport({ ...outcome, server }, server);
    const handed = await send(message, { transport, newToken: () => 'lease.1', logServer: 'main' });
    const taken: string[] = [];
    const { messages } = subject.stores;
    const deps = { messages, clock: subject.clock, evidenceWait: 4 * DAY, logger, logServer: 'main' };
    const log = expectTaken({ taken: (id) => void taken.push(id) }, 'main');
    await recordOutcome({ ...deps, outcomes: new OutcomePublisher([log], logger) })(handed);
    const [attempt] = await messages.attempts(message.id);
    return { fence: handed.handOff.fence, reply: attempt?.reply, taken: taken.length };
  }

  it('says in the attempt which one, and in the token when its log decides nothing', async () => {
    const sent: HandOffOutcome = { kind: 'sent', reply: '250 ok' };
    expect(await over('main', sent)).toEqual({ fence: 'lease.1', reply: '250 ok [over main]', taken: 1 });
    expect(await over('warm', sent)).toEqual({ fence: 'lease.1.warm', reply: '250 ok [over warm]', taken: 0 });
    const lost: HandOffOutcome = { kind: 'unknown', reason: 'The connection ended.' };
    expect(await over('warm', lost)).toMatchObject({ reply: 'The connection ended. [over warm]', taken: 0 });
  });
});

describe('a store that fails at the fence', () => {
  it.each<[string, (real: MessageStore['change']) => MessageStore['change'], boolean]>([
    ['before it has stored it', () => () => Promise.reject(new UnavailableError('disk full')), false],
    [
      'after it has stored it, without saying so',
      (real) =>
        async (...args) => {
          await real(...args);
          throw new UnavailableError('disk full');
        },
      true,
    ],
  ])('%s: nothing is sent, and the claim goes back', async (_when, change, isStored) => {
    const message = await claimed();
    const { transport, seen } = fencingTransport();
    const handed = await send(message, { transport, newToken: () => 'unsure', messages: storeWith(change) });
    expect(handed).toMatchObject({
      outcome: { kind: 'not_sent', reason: 'The fence failed: disk full' },
      handOff: { attempt: 1, fence: null },
      unconfirmedFence: 'unsure',
    });
    expect(seen.mails).toEqual([]);
    expect((await read(message)).fence).toBe(isStored ? 'unsure' : null);
    expect(await record(handed)).toEqual({ kind: 'ok' });
    expect(await read(message)).toMatchObject({
      status: 'queued',
      fence: null,
      failedReason: handed.outcome.kind === 'not_sent' && handed.outcome.reason,
    });
  });
});
