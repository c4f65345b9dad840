import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { pino } from 'pino';
import { createDispatchConsumer } from '../../../consumers/dispatch';
import type { DispatchDeps } from '../../../consumers/dispatch/deps';
import type { HandOffJob, Message, MessageBody } from '../../../domain/messages/message';
import { dkimContext, type SendingDomain } from '../../../domain/settings/sending-domain';
import { generateDkimKey } from '../../../email/dkim-key';
import { WorkerComposer } from '../../../email/composing/worker-composer';
import { Activity } from '../../../lib/activity';
import type { Decide } from '../../../stores/ports/message-store';
import { aWorkspace, someFacts, TEST_KEYRING, type Sender } from '../../support/builders';
import { frozenClock } from '../../support/clock';
import { until } from '../../contract/helpers';

const MB = 1_000_000;
const CLAIMED = { status: 'sending', attempt: 1, fence: null, unknown: false, version: 1, attachmentsUntil: null };
const [GREEDY, OTHER] = [1, 2];

let dkimKeySealed: string;
beforeAll(async () => {
  dkimKeySealed = TEST_KEYRING.seal((await generateDkimKey()).privateKeyPem, dkimContext('a.test'));
});
let composer: WorkerComposer;
afterEach(() => composer.close());

/** A mail whose one value stands in it so often, in the html and in the text made from it. */
const growing = (tags: number, characters = 2_000): MessageBody => ({
  html: '<p>{{v}}</p>'.repeat(tags),
  text: null,
  variables: { v: 'x'.repeat(characters) },
});
const SMALL: MessageBody = { html: '<p>Halo</p>', text: null };

interface Dispatching extends Pick<DispatchDeps, 'serverOf'> {
  largest: number | null;
  waits: boolean;
}

/** A dispatch with a composing thread and the memory of the defaults, whose sending server answers when it is let. */
function dispatching({ largest = null as number | null, waits = false, ...more }: Partial<Dispatching> = {}) {
  composer = new WorkerComposer(join(__dirname, '../../../dist/compose-worker.js'), () => undefined);
  const messages = new Map<string, { message: Message; body: MessageBody }>();
  const handedOver: string[] = [];
  const answers: (() => void)[] = [];
  const job = async (id: string): Promise<HandOffJob> => {
    const { message, body } = messages.get(id)!;
    return { message, contact: null, body, attachments: [], preheader: null };
  };
  const change = async (id: string, decide: Decide) => {
    const stored = messages.get(id)!;
    const decided = decide(stored.message);
    if (decided) stored.message = { ...stored.message, ...decided.set, version: stored.message.version + 1 };
    return { applied: decided !== null, message: stored.message };
  };
  const domain = { domain: 'a.test', dkimSelector: 'k1', dkimKeySealed } as SendingDomain;
  const deps = {
    stores: {
      messages: { job, change, get: async (id: string) => messages.get(id)?.message },
      workspaces: { get: async () => aWorkspace() },
      domains: { get: async () => domain },
    },
    composer,
    transport: {
      largestMail: (server = 'first') => (server === 'first' ? largest : null),
      handOff: async ({ envid }: { envid: string }, _raw: Buffer, fence: () => Promise<boolean>) => {
        await fence();
        handedOver.push(envid);
        if (waits && envid.includes('large')) await new Promise<void>((resolve) => answers.push(resolve));
        return { kind: 'sent', reply: '250 ok' };
      },
    },
    keyring: TEST_KEYRING,
    clock: frozenClock(),
    publicUrl: () => 'https://k.test',
    feedbackSender: 'kurir0189000000',
    unmarkedHosts: [],
    evidenceWait: 60_000,
    concurrency: 80,
    mailMemory: 96 * MB,
    maxMail: 30 * MB,
    activity: new Activity(),
    newToken: () => 'token',
    isLeaseValid: () => true,
    logger: pino({ level: 'silent' }),
    ...more,
  } as unknown as DispatchDeps;
  const consumer = createDispatchConsumer(deps);
  const send = (id: string, workspaceId: number, body: MessageBody): Promise<unknown> => {
    const sender = { workspace: { id: workspaceId }, contact: { id: 2, email: 'b@a.test' }, domain: { id: 3 } };
    const message = { ...someFacts(sender as Sender), ...CLAIMED, id } as unknown as Message;
    messages.set(id, { message, body });
    return consumer.handle({ value: { messageId: id, attempt: 1 } } as Parameters<typeof consumer.handle>[0]);
  };
  const stateOf = (id: string) => {
    const { status, failedReason } = messages.get(id)!.message;
    return { status, failedReason };
  };
  return { send, stateOf, handedOver, answers };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

describe('mails that grow by their merge tags', () => {
  // spec: docs/contract.md#size-of-a-filled-mail: refused before its tags are filled
  it.each([30_000, 99_990])('are refused before they are filled when they are too large: %i tags', async (tags) => {
    const { send, stateOf, handedOver } = dispatching();
    const html = '{{v}}'.repeat(tags);
    const variables = { v: '😀'.repeat(2_000) };
    const before = process.memoryUsage.rss();
    await Promise.all([
      ...numbers(10).map((n) => send(`large ${n}`, GREEDY, { html, text: null, variables })),
      ...numbers(20).map((n) => send(`small ${n}`, OTHER, SMALL)),
    ]);
    expect([...handedOver].sort()).toEqual(
      numbers(20)
        .map((n) => `small ${n}`)
        .sort(),
    );
    for (const n of numbers(10)) {
      const { status, failedReason } = stateOf(`large ${n}`);
      expect(status).toBe('failed');
      expect(failedReason).toMatch(/^Ukuran email \d+ byte melebihi batas server pengirim \(30000000 byte\)\.$/);
    }
    // Filled, one of them would take 480 MB or more.
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * MB);
  });

  // spec: docs/contract.md#size-of-a-filled-mail: by what the sending server takes
  it('are refused by what the sending server takes, when that is less', async () => {
    const { send, stateOf } = dispatching({ largest: 100_000 });
    await send('large', GREEDY, growing(100));
    expect(stateOf('large').failedReason).toMatch(
      /^Ukuran email 4\d{5} byte melebihi batas server pengirim \(100000 byte\)\.$/,
    );
  });

  it('are refused by what their own of several servers takes', async () => {
    const { send, stateOf } = dispatching({ largest: 100_000, serverOf: () => 'other' });
    await send('large', GREEDY, growing(100));
    expect(stateOf('large').status).toBe('sent_to_mta');
  });

  it('hold half of the memory of large mails at most: those of another workspace, small or large, go on', async () => {
    const { send, stateOf, handedOver, answers } = dispatching({ waits: true });
    const greedy = numbers(10).map((n) => send(`large ${n}`, GREEDY, growing(2_000)));
    await until(() => answers.length > 0);
    const others = numbers(20).map((n) => send(`small ${n}`, OTHER, SMALL));
    await Promise.all(others);
    const large = send('large of another', OTHER, growing(3_000));
    await until(() => handedOver.includes('large of another'));
    // Each takes 8 MB, and twice that of the 96 MB of memory: a fourth would be more than half.
    expect(handedOver.filter((id) => /^large \d/.test(id)).length).toBeLessThanOrEqual(3);
    const answering = setInterval(() => answers.splice(0).forEach((answer) => answer()), 5);
    await Promise.all([...greedy, large]);
    clearInterval(answering);
    for (const n of numbers(10)) expect(stateOf(`large ${n}`).status).toBe('sent_to_mta');
  });

  it('are composed in turn with those of others: a hundred of one workspace wait, one of another does not', async () => {
    const { send, handedOver } = dispatching();
    const greedy = numbers(75).map((n) => send(`greedy ${n}`, GREEDY, growing(40)));
    const other = send('other', OTHER, SMALL);
    await Promise.all([...greedy, other]);
    // Behind those that were in the thread already, and one turn of the rest.
    expect(handedOver.indexOf('other')).toBeLessThan(50);
  });
});
