import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { LogReader } from '../../../consumers/postfix-log/log-reader';
import { settleHandOffs } from '../../../consumers/postfix-log/settle-hand-offs';
import type { Message } from '../../../domain/messages/message';
import { DAY, MINUTE } from '../../../lib/clock';
import type { Engine } from '../../../stores/ports/engine';
import { silentLogger } from '../../../lib/logger';
import { acceptAndClaim } from '../../contract/claiming';
import { createSender } from '../../support/builders';
import { LogScene, openStores, readAll } from './scene';

const OTHER = '019aaf00-0000-7000-8000-0123456789ff';
const WAIT = 4 * DAY;
const FILE = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a') };

let engine: Engine;
let scene: LogScene;
let reader: LogReader;
beforeEach(async () => {
  engine = await openStores();
  scene = new LogScene(engine);
  reader = scene.reader();
  await readAll(reader);
  scene.clock.advance(MINUTE);
});
afterEach(async () => {
  await reader.close();
  await engine.close();
});

/** A hand-off past the fence, without an answer, of the process `lease`. */
async function unknown(): Promise<string> {
  const now = scene.clock.now();
  const { id } = await acceptAndClaim(engine, await createSender(engine.stores), {
    attachments: [FILE],
    attachmentsUntil: now + WAIT,
  });
  const set = { fence: 'lease.1', fencedAt: now, unknown: true, dueAt: now + WAIT };
  await engine.stores.messages.change(id, () => ({ set, at: now, records: [] }));
  return id;
}

async function settled(id: string, leases = ['lease'], page?: number): Promise<Message> {
  const readTo = (await readAll(reader))!;
  const deps = {
    stores: engine.stores,
    clock: scene.clock,
    evidenceWait: WAIT,
    logger: silentLogger,
    ...(page && { page }),
  };
  await settleHandOffs(deps, reader.evidence!, new Set(leases), readTo);
  return (await engine.stores.messages.get(id))!;
}

// spec: docs/contract.md#at-most-one-hand-off: not taken by the log of Postfix: queued again
test('one that the log never names is queued again after five minutes, with its coin and attachments', async () => {
  const id = await unknown();
  scene.write(...scene.taken(OTHER, 'B1'));
  scene.clock.advance(5 * MINUTE - 1);
  expect(await settled(id)).toMatchObject({ status: 'sending', unknown: true });
  scene.clock.advance(1);
  const message = await settled(id);
  expect(message).toMatchObject({ status: 'queued', unknown: false, fence: null, fencedAt: null, failedReason: null });
  expect(message.attachmentsUntil).not.toBeNull();
  expect(await engine.stores.messages.attempts(id)).toMatchObject([{ n: 1, outcome: 'not_sent' }]);
});

test('none waits behind older ones that stay undecided, be they due at the same moment', async () => {
  const ids = [];
  for (let n = 0; n < 5; n += 1) {
    ids.push(await unknown());
    if (n !== 2) scene.clock.advance(1);
  }
  scene.write(
    ...scene.taken(OTHER, 'B1'),
    ...ids.slice(0, 4).map((id, n) => `cleanup[8]: A${n}: message-id=<${id}@toko.test>`),
  );
  scene.clock.advance(6 * MINUTE);
  expect(await settled(ids[4]!, ['lease'], 2)).toMatchObject({ status: 'queued' });
  expect((await engine.stores.messages.get(ids[0]!))!).toMatchObject({ status: 'sending', unknown: true });
});

test('one that Postfix has in its queue is with the sending server at once', async () => {
  const id = await unknown();
  scene.write(...scene.taken(id, 'A1'));
  expect(await settled(id)).toMatchObject({
    status: 'sent_to_mta',
    unknown: false,
    dispatchedAt: scene.clock.now(),
    dueAt: scene.clock.now() + WAIT,
    attachmentsUntil: null,
  });
});

test('one whose headers Postfix read stays unknown, unless its client went away before the final dot', async () => {
  const id = await unknown();
  scene.write('smtpd[7]: A1: client=localhost[127.0.0.1]', `cleanup[8]: A1: message-id=<${id}@toko.test>`);
  scene.clock.advance(6 * MINUTE);
  expect(await settled(id)).toMatchObject({ status: 'sending', unknown: true });
  scene.write('smtpd[7]: lost connection after DATA (43 bytes) from localhost[127.0.0.1]');
  expect(await settled(id)).toMatchObject({ status: 'queued' });
});

test('one of a process that hands over to another server is not touched', async () => {
  const id = await unknown();
  scene.write(...scene.taken(OTHER, 'B1'));
  scene.clock.advance(6 * MINUTE);
  expect(await settled(id, ['another'])).toMatchObject({ status: 'sending', unknown: true });
});

test('one from before a gap waits for its report, without its attachments', async () => {
  const id = await unknown();
  scene.write(...scene.taken(OTHER, 'B1'));
  scene.clock.advance(6 * MINUTE);
  await readAll(reader);
  reader.noteGap('a test');
  expect(await settled(id)).toMatchObject({ status: 'sending', unknown: true, attachmentsUntil: null });
});
