import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { SubmittedMail } from '../../../../smtp/relay/mail/submitted-mail';
import { DAY } from '../../../../lib/clock';
import { aGrant } from '../../../support/builders';
import { describeOnEngines } from '../../../support/engines';
import { codeOf, idsIn, TestRelay, type RelayAccount } from './fixture';

const [SATU, DUA, TIGA] = ['satu@contoh.test', 'dua@contoh.test', 'tiga@contoh.test'];
const MESSAGE = { messageId: 'struk-1@toko.test' };

describeOnEngines('A mail that the relay gets again', (install) => {
  let relay: TestRelay;
  let account: RelayAccount;
  beforeAll(async () => {
    relay = await TestRelay.open(install());
  });
  beforeEach(async () => {
    account = await relay.account();
  });
  afterAll(() => relay.close());

  const send = async (recipients: readonly string[], change: Partial<SubmittedMail> = MESSAGE, policy = relay.policy) =>
    idsIn(await relay.send(account, recipients, change, policy));
  const count = async (): Promise<number> => (await relay.messages(account)).length;

  // spec: docs/contract.md#relay-repeats: the first one's 250, and nothing is made
  test('is answered with the ids of the first, in every process, and makes nothing', async () => {
    const first = await send([SATU, DUA]);
    expect(await send(['SATU@contoh.test', DUA], MESSAGE, relay.another())).toEqual(first);
    expect(await send([DUA, SATU])).toEqual([...first].reverse());
    expect(await count()).toBe(2);
  });

  // spec: docs/contract.md#relay-repeats: also after kill -9 between the final dot and the 250
  test('20 times at once makes one message for each recipient', async () => {
    const others = [relay.policy, relay.another()];
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => send([SATU, DUA], MESSAGE, others[n % 2])));
    expect(new Set(all.map((ids) => ids.join())).size).toBe(1);
    expect(await count()).toBe(2);
  });

  // spec: docs/contract.md#relay-repeats: each recipient alone
  test('with further recipients makes those only', async () => {
    const [first] = await send([SATU]);
    const ids = await send([DUA, SATU, TIGA]);
    expect(ids[1]).toBe(first);
    expect(await count()).toBe(3);
  });

  test('after an answer that was lost, makes nothing twice', async () => {
    relay.faults.arm({ operation: 'messages.accept', nth: 1, fault: { kind: 'error', when: 'after' } });
    await expect(send([SATU, DUA])).rejects.toThrow('messages.accept');
    const [first] = await send([SATU, DUA]);
    expect(await count()).toBe(2);
    expect((await relay.messages(account)).map(({ id }) => id)).toContain(first);
  });

  // spec: docs/contract.md#relay-repeats: the same login, Message-ID and content
  test('is another mail when Message-ID, content or login differ', async () => {
    await send([SATU]);
    const changes: Partial<SubmittedMail>[] = [
      { messageId: 'struk-2@toko.test' },
      { ...MESSAGE, subject: 'Lain' },
      { ...MESSAGE, html: '<p>Lain</p>' },
      { ...MESSAGE, text: null },
      { ...MESSAGE, metadata: { order: '42' } },
      { ...MESSAGE, replyTo: 'cs@contoh.test' },
      { ...MESSAGE, attachmentsLeftOut: 1 },
    ];
    for (const change of changes) await send([SATU], change);
    expect(await count()).toBe(8);
    const { login: row } = await relay.accounts.createLogin(account.workspace.id);
    const login = { username: row.username, workspaceId: row.workspaceId, hash: row.hash };
    await relay.send({ ...account, login }, [SATU], MESSAGE);
    expect(await count()).toBe(9);
  });

  test('is known after the password was replaced', async () => {
    const first = await send([SATU]);
    const rotated = await relay.accounts.rotatePassword(account.row);
    account.login = { ...account.login, hash: rotated!.login.hash };
    expect(await send([SATU])).toEqual(first);
  });

  // spec: docs/contract.md#relay-repeats: within a day
  test('is another mail after a day, and that one is known for a day again', async () => {
    const { clock } = relay.api;
    const first = await send([SATU]);
    clock.advance(DAY - 1);
    expect(await send([SATU])).toEqual(first);
    clock.advance(1);
    const second = await send([SATU, DUA]);
    expect(second[0]).not.toBe(first[0]);
    expect(await send([DUA, SATU])).toEqual([...second].reverse());
    clock.advance(DAY);
    const all = await Promise.all(Array.from({ length: 5 }, () => send([SATU])));
    expect(new Set(all.flat()).size).toBe(1);
    expect(all[0]).not.toEqual([second[0]]);
    expect(await count()).toBe(4);
  });

  // spec: docs/contract.md#relay-repeats: neither
  test('without a Message-ID and a key is always another one', async () => {
    await send([SATU], {});
    await send([SATU], {});
    expect(await count()).toBe(2);
  });

  // spec: docs/contract.md#relay-repeats: a key
  test('under a key counts for each recipient, whatever its content, for ever, and apart from POST /messages', async () => {
    const key = { idempotencyKey: 'struk-42-kunci' };
    const api = await relay.api.send(account, {}, { 'idempotency-key': key.idempotencyKey });
    expect(api.status).toBe(201);
    const first = await send([SATU], key);
    expect(first).not.toEqual([api.body.message_id]);
    expect(await send([SATU], { ...key, subject: 'Lain', messageId: 'lain@toko.test' })).toEqual(first);
    relay.api.clock.advance(3 * DAY);
    const later = await send([SATU, DUA], key);
    expect(later[0]).toEqual(first[0]);
    expect(await count()).toBe(3);
  });

  test('cannot be guessed or taken by a key of POST /messages', async () => {
    const [id] = await send([SATU]);
    const stored = await relay.api.stores.messages.findByIdempotencyKey(account.workspace.id, MESSAGE.messageId);
    expect(stored).toBe(null);
    const answer = await relay.api.send(account, {}, { 'idempotency-key': `smtp:${'0'.repeat(95)}` });
    expect(answer.status).toBe(201);
    expect(answer.body.message_id).not.toBe(id);
  });

  // spec: docs/contract.md#relay-repeats: also after kill -9 between the final dot and the 250
  test('is answered alike when the coins have run out meanwhile, and costs nothing', async () => {
    const first = await send([SATU]);
    const { id } = account.workspace;
    await relay.api.stores.coins.post(aGrant(id, -1_000));
    expect(await send([SATU])).toEqual(first);
    expect(codeOf(await relay.send(account, [DUA], MESSAGE))).toBe('550 5.7.1');
    expect(await relay.api.balance(account)).toBe(0);
  });
});
