import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DAY, MINUTE, SECOND } from '../../lib/clock';
import { describeOnEngines } from '../support/engines';
import { Running } from '../support/running';

const HOOK_SECRET = 'a-secret-for-the-hook';

describeOnEngines('the way of one mail, by what the sending server does with it', (install) => {
  let running: Running;
  beforeAll(async () => {
    running = await Running.startOn(install(), { KURIR_HOOK_SECRET: HOOK_SECRET });
  });
  afterAll(() => running.stop());

  const suppression = async (email: string): Promise<unknown> =>
    (await running.api.get(`/suppressions?email=${email}`)).body.reason;

  /** Times the message was taken by the sending server. */
  const received = (id: string): number => running.kurir.sandbox!.countByMessage(id);

  // spec: docs/contract.md#message-status: a message is tracked through a status lifecycle, read with GET
  // spec: docs/contract.md#statuses: delivered: accepted by the recipient's mail server
  // spec: docs/contract.md#price-of-an-email: a coin is deducted when the email is handed to the sending server
  it('delivered: Accepted by the recipient mail server, one coin, dispatched_at set', async () => {
    const id = await running.send('delivered@pelanggan.test');
    await running.untilStatus(id, 'delivered');
    const { status, body } = await running.api.get(`/messages/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ message_id: id, status: 'delivered', failed_reason: null });
    expect(body.dispatched_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(await running.coinsOf(id, -1)).toEqual(['debit:m:1']);
    expect(received(id)).toBe(1);
  });

  // spec: docs/contract.md#return-path: Return-Path: signed, leads back to the message
  // spec: docs/contract.md#statuses: bounced: failed_reason holds its code and reason
  // spec: docs/contract.md#refunds: a bounce is not refunded
  // spec: docs/contract.md#penalty-for-a-bounce-or-complaint: hard bounce or spam report: 4-coin penalty once per
  //   message, address suppressed
  it('hardbounce: bounced with code and reason, not refunded, 4-coin penalty once, suppressed', async () => {
    const id = await running.send('hardbounce@pelanggan.test');
    const message = await running.untilStatus(id, 'bounced');
    expect(message.failedReason).toMatch(/5\.1\.1/);
    expect(await running.coinsOf(id, -5)).toEqual(['debit:m:1', 'penalty:m']);
    expect(await suppression('hardbounce@pelanggan.test')).toBe('hard_bounce');
    expect(received(id)).toBe(1);
  });

  it('disabled: bounced as a mailbox that is gone for good, 4-coin penalty once, suppressed', async () => {
    const id = await running.send('disabled@pelanggan.test');
    const message = await running.untilStatus(id, 'bounced');
    expect(message).toMatchObject({ refusedClass: 'mailbox_disabled', failedReason: expect.stringMatching(/5\.2\.1/) });
    expect(await running.coinsOf(id, -5)).toEqual(['debit:m:1', 'penalty:m']);
    expect(await suppression('disabled@pelanggan.test')).toBe('hard_bounce');
  });

  it.each([
    ['mailboxfull', 'mailbox_full', /5\.2\.2/],
    ['blocked', 'sender_blocked', /5\.7\.1 .*zen\.spamhaus\.org/],
    ['spam', 'content_refused', /5\.7\.1 .*spam/],
  ] as const)('%s: bounced as %s, one coin, no penalty, not suppressed', async (name, refusedClass, reason) => {
    const id = await running.send(`${name}@pelanggan.test`);
    const message = await running.untilStatus(id, 'bounced');
    expect(message).toMatchObject({ refusedClass, hardBouncedAt: null, failedReason: expect.stringMatching(reason) });
    expect(await running.coinsOf(id, -1)).toEqual(['debit:m:1']);
    expect(await suppression(`${name}@pelanggan.test`)).toBeNull();
  });

  it('autoreply: delivered, and the automatic answer changes nothing', async () => {
    const id = await running.send('autoreply@pelanggan.test');
    await running.untilStatus(id, 'delivered');
    await running.kurir.sandbox!.idle();
    const [mail] = running.kurir.sandbox!.list({ limit: 1 });
    expect(mail?.reports.map(({ kind, state }) => [kind, state])).toEqual([
      ['delivered', 'sent'],
      ['answer', 'sent'],
    ]);
    expect(await running.untilStatus(id, 'delivered')).toMatchObject({ failedReason: null, complainedAt: null });
    expect(await running.coinsOf(id, -1)).toEqual(['debit:m:1']);
    expect(await suppression('autoreply@pelanggan.test')).toBeNull();
  });

  // spec: docs/contract.md#reports-that-count: by HTTP: the same effects
  it('a record at the hook for sending servers settles a message as a mailed report does, once', async () => {
    const id = await running.send('norecord@hook.test');
    await running.untilStatus(id, 'sent_to_mta');
    const [mail] = running.kurir.sandbox!.list({ limit: 1 });
    const record = {
      type: 'Bounce',
      sender: mail?.mailFrom,
      recipient: 'norecord@hook.test',
      response: { code: 550, enhanced_code: { class: 5, subject: 1, detail: 1 }, content: 'User unknown' },
    };
    const post = (secret: string): Promise<Response> =>
      fetch(new URL('/hooks/mta', running.kurir.baseUrl), {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify([record, record]),
      });
    expect((await post('another-secret')).status).toBe(401);
    expect(await (await post(HOOK_SECRET)).json()).toEqual({ received: 2, taken: 2, ignored: 0 });
    await running.untilStatus(id, 'bounced');
    expect((await post(HOOK_SECRET)).status).toBe(200);
    expect(await running.coinsOf(id, -5)).toEqual(['debit:m:1', 'penalty:m']);
    expect(await suppression('norecord@hook.test')).toBe('hard_bounce');
  });

  // spec: docs/contract.md#failed-reasons: failed: a permanent rejection text from the sending server
  // spec: docs/contract.md#refunds: refunded: refused (temporary or permanent), or no delivery record
  it('reject: a permanent refusal of the sending server is failed with its text, and refunded', async () => {
    const id = await running.send('reject@pelanggan.test');
    const message = await running.untilStatus(id, 'failed');
    expect(message.failedReason).toMatch(/^550 /);
    expect(message.dispatchedAt).toBeNull();
    expect(await running.coinsOf(id, 0)).toEqual(['debit:m:1', 'refund:m:1']);
    expect(await suppression('reject@pelanggan.test')).toBeNull();
    expect(received(id)).toBe(0);
  });

  // spec: docs/contract.md#penalty-for-a-bounce-or-complaint: hard bounce or spam report: 4-coin penalty once per
  //   message, address suppressed
  it('complaint: stays delivered, 4-coin penalty, suppressed', async () => {
    const id = await running.send('complaint@pelanggan.test');
    const message = await running.until(id, 'a complaint', ({ complainedAt }) => complainedAt !== null);
    expect(message.status).toBe('delivered');
    expect(await running.coinsOf(id, -5)).toEqual(['debit:m:1', 'penalty:m']);
    expect(await suppression('complaint@pelanggan.test')).toBe('complaint');
  });

  // spec: docs/contract.md#delays: `Ditunda sementara` on sent_to_mta
  it('delayed: sent_to_mta with `Ditunda sementara`, then delivered without a reason', async () => {
    const id = await running.send('delayed@pelanggan.test');
    const waiting = await running.until(id, 'the delay', ({ failedReason }) => failedReason !== null);
    expect(waiting.status).toBe('sent_to_mta');
    expect(waiting.failedReason).toMatch(/^Ditunda sementara/);
    running.clock.advance(DAY / 2);
    expect((await running.untilStatus(id, 'delivered')).failedReason).toBeNull();
  });

  // spec: docs/contract.md#temporary-refusals: retries exhausted or permanent refusal: failed, refunded
  it('expired: the server gave up after its queue lifetime, failed with the text of the contract, refunded', async () => {
    const id = await running.send('expired@pelanggan.test');
    const message = await running.untilStatus(id, 'failed');
    expect(message.failedReason).toMatch(/^MTA menolak sementara terus-menerus: /);
    expect(await running.coinsOf(id, 0)).toEqual(['debit:m:1', 'refund:m:1']);
  });

  // spec: docs/contract.md#at-most-one-hand-off: handed over at most once, also when no answer came
  it('drop: no answer after the final dot is never sent again; the report settles it', async () => {
    const id = await running.send('drop@pelanggan.test');
    const message = await running.untilStatus(id, 'delivered');
    expect(message.dispatchedAt).not.toBeNull();
    expect(await running.coinsOf(id, -1)).toEqual(['debit:m:1']);
    expect(received(id)).toBe(1);
  });

  // spec: docs/contract.md#statuses: queued with failed_reason: a temporary rejection is being retried
  it('greylist: a temporary refusal is retried, failed_reason filled meanwhile, then delivered', async () => {
    const id = await running.send('greylist@pelanggan.test');
    const waiting = await running.until(id, 'the refusal', ({ failedReason }) => failedReason !== null);
    expect(waiting.status).toBe('queued');
    expect(waiting.failedReason).toMatch(/^451 /);
    running.clock.advance(MINUTE + SECOND);
    expect((await running.untilStatus(id, 'delivered')).failedReason).toBeNull();
    expect(await running.coinsOf(id, -1)).toEqual(['debit:m:1', 'debit:m:2', 'refund:m:1']);
    expect(received(id)).toBe(1);
  });

  // spec: docs/contract.md#statuses: queued with failed_reason: a temporary rejection is being retried
  // spec: docs/contract.md#refunds: refunded: refused (temporary or permanent), or no delivery record
  it('softbounce: refused three times for now, delivered at the fourth attempt, one coin in the end', async () => {
    const id = await running.send('softbounce@pelanggan.test');
    for (const attempt of [1, 2, 3]) {
      await running.until(id, `refusal ${attempt}`, (m) => m.status === 'queued' && m.attempt === attempt);
      running.clock.advance(10 * MINUTE);
    }
    const message = await running.untilStatus(id, 'delivered');
    expect(message.attempt).toBe(4);
    expect(await running.coinsOf(id, -1)).toHaveLength(7);
    expect(received(id)).toBe(1);
  });

  // spec: docs/contract.md#failed-reasons: failed: `MTA menolak sementara terus-menerus:` after at most 3 days, coins
  //   refunded
  // spec: docs/contract.md#temporary-refusals: retries exhausted or permanent refusal: failed, refunded
  it('defer: refused for now for three days, failed with `MTA menolak sementara terus-menerus:`, coins refunded', async () => {
    const id = await running.send('defer@pelanggan.test');
    for (let n = 0; n < 200; n += 1) {
      const message = await running.until(id, 'an answer', ({ status }) => status === 'queued' || status === 'failed');
      if (message.status === 'failed') break;
      running.clock.advance(Math.max(1, (message.dueAt ?? 0) - running.clock.now()));
      await running.until(id, 'the next attempt', (m) => m.status === 'failed' || m.attempt > message.attempt);
    }
    const message = await running.untilStatus(id, 'failed');
    expect(message.failedReason).toMatch(/^MTA menolak sementara terus-menerus: 451 /);
    const lasted = (await running.stores.messages.history(id)).at(-1)!.at - message.firstClaimedAt!;
    expect(lasted).toBeGreaterThanOrEqual(3 * DAY);
    expect(lasted).toBeLessThan(3 * DAY + MINUTE);
    await running.coinsOf(id, 0);
    expect(received(id)).toBe(0);
  });

  // spec: docs/contract.md#no-delivery-record: no delivery record: failed, refunded
  // spec: docs/contract.md#refunds: refunded: refused (temporary or permanent), or no delivery record
  it('norecord: handed over and never reported is failed with a refund; a late report moves it to delivered', async () => {
    const id = await running.send('norecord@pelanggan.test');
    await running.untilStatus(id, 'sent_to_mta');
    running.clock.advance(4 * DAY + MINUTE);
    const failed = await running.untilStatus(id, 'failed');
    expect(failed.failedReason).toBe('Tidak ada catatan pengiriman dari MTA.');
    expect(await running.coinsOf(id, 0)).toEqual(['debit:m:1', 'refund:m:1']);
    const feedback = {
      kind: 'delivered' as const,
      trusted: true,
      text: '',
      class: null,
      hard: false,
      at: running.clock.now(),
    };
    const value = { messageId: id, feedback };
    await running.kurir.services.engine.log.publish([{ topic: 'mta.feedback', key: id, value }]);
    await running.untilStatus(id, 'delivered');
    expect(await running.coinsOf(id, -1)).toEqual(['debit:m:1', 'debit:m:late', 'refund:m:1']);
    expect(received(id)).toBe(1);
  });

  // spec: docs/contract.md#balance: the balance is the sum of the ledger
  it('the balance is the sum of the ledger', async () => {
    const [{ id: workspaceId } = { id: 0 }] = await running.stores.workspaces.list();
    const rows = await running.stores.coins.rows(workspaceId, 0, 10_000);
    const sum = rows.reduce((total, { amount }) => total + amount, 0);
    expect((await running.stores.coins.account(workspaceId)).balance).toBe(sum);
    expect((await running.api.get('/account')).body.email).toMatchObject({ coins: sum });
  });
});
