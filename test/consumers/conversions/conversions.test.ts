import { afterEach, describe, expect, it } from '@jest/globals';
import { createConversionsConsumer } from '../../../consumers/conversions';
import { settleWork } from '../../../consumers/conversions/settle-work';
import type { DueRunner } from '../../../consumers/due-work/due-runner';
import { NOT_IN_STORE } from '../../../consumers/not-in-store';
import type { Signal } from '../../../domain/engagement/signal';
import { CONVERSION_WORK, LINKED_WITHIN } from '../../../domain/conversions/attribution';
import { HOUR, MINUTE, SECOND } from '../../../lib/clock';
import type { Stores } from '../../../stores/ports';
import { decodeRecord } from '../../../streams/decode-record';
import { GROUPS } from '../../../streams/topics';
import type { TopicName } from '../../../streams/topics';
import { dead, drop, ok } from '../../../streams/results';
import { openTemporary } from '../../contract/embedded/open';
import { reportOf, Shop } from '../../contract/conversion-store/support';
import { sharedEngine } from '../../contract/harness';
import { eventually } from '../../contract/helpers';
import { messageId, storedRecord } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { dueRunner } from '../../support/due-work';

const subject = sharedEngine(openTemporary);

/** Hands a record to the group as the runner does: checked against its schema. */
async function handle(
  topic: TopicName & ('conversions' | 'message.events'),
  value: unknown,
  parts: Partial<Stores> = {},
) {
  const consumer = createConversionsConsumer({ stores: { ...subject.stores, ...parts } });
  const { record, fault } = decodeRecord(storedRecord(topic, value));
  return record ? consumer.handle(record) : dead(fault);
}
const clickOf = ({ workspaceId }: Shop, { id: key, messageId: of, at: occurredAt, link }: Signal) => ({
  workspaceId,
  messageId: of,
  event: 'click',
  occurredAt,
  key,
  link,
});
const linked = async ({ id }: { id: string }): Promise<string | undefined> =>
  (await subject.stores.conversions.get(id))?.link?.clickId;

describe('the group conversions', () => {
  it('reads sales and clicks', () => {
    expect(GROUPS.conversions.topics).toEqual(['conversions', 'message.events']);
    expect(createConversionsConsumer({ stores: subject.stores }).group).toBe('conversions');
  });

  it('links a sale when its record comes, also twice', async () => {
    const shop = await Shop.open(subject);
    const click = await shop.click(await shop.mail());
    const sale = await shop.sale({ contactId: shop.buyer });
    for (let n = 0; n < 2; n += 1) expect(await handle('conversions', reportOf(sale))).toEqual(ok);
    expect(await linked(sale)).toBe(click.id);
  });

  it('links a sale whose record came before the click, when the event of the click comes', async () => {
    const shop = await Shop.open(subject);
    const mail = await shop.mail();
    const [byMessage, byContact] = [
      await shop.sale({ messageId: mail.id }),
      await shop.sale({ contactId: shop.buyer }),
    ];
    for (const sale of [byMessage, byContact]) expect(await handle('conversions', reportOf(sale))).toEqual(ok);
    const click = await shop.click(mail, TEST_START - SECOND);
    expect([await linked(byMessage), await linked(byContact)]).toEqual([undefined, undefined]);
    expect(await handle('message.events', clickOf(shop, click))).toEqual(ok);
    expect([await linked(byMessage), await linked(byContact)]).toEqual([click.id, click.id]);
  });

  it('links every sale that a click led to, however many', async () => {
    const shop = await Shop.open(subject);
    const mail = await shop.mail();
    const sales = await Promise.all(
      Array.from({ length: 230 }, (_, n) => shop.sale({ messageId: mail.id, occurredAt: TEST_START + (n % 7) })),
    );
    const click = await shop.click(mail);
    await handle('message.events', clickOf(shop, click));
    for (const sale of sales) expect(await linked(sale)).toBe(click.id);
  });

  it('links nothing to the click of a machine', async () => {
    const shop = await Shop.open(subject);
    const mail = await shop.mail();
    const sale = await shop.sale({ messageId: mail.id });
    const click = await shop.click(mail, TEST_START, { machine: 'agent' });
    expect(await handle('message.events', clickOf(shop, click))).toEqual(ok);
    expect(await handle('conversions', reportOf(sale))).toEqual(ok);
    expect(await linked(sale)).toBeUndefined();
  });

  it('drops what is not its business, and a sale that is gone', async () => {
    const shop = await Shop.open(subject);
    const sale = await shop.sale();
    const { orderId: _, ...facts } = sale;
    const done = { ...facts, kind: 'linked', messageId: messageId(), clickedAt: TEST_START };
    expect(await handle('conversions', done)).toEqual(drop('linked already'));
    const open = { ...clickOf(shop, await shop.click(await shop.mail())), event: 'open' };
    expect(await handle('message.events', open)).toEqual(drop('no click'));
    await subject.stores.conversions.settle(sale.id);
    expect(await handle('conversions', reportOf(sale))).toEqual(drop('the sale is gone'));
  });

  it('parks the click of a message that there is not, or is of another workspace', async () => {
    const [shop, other] = [await Shop.open(subject), await Shop.open(subject)];
    const click = await shop.click(await shop.mail());
    const unknown = { ...clickOf(shop, click), messageId: messageId() };
    for (const value of [unknown, { ...clickOf(shop, click), workspaceId: other.workspaceId }]) {
      expect(await handle('message.events', value)).toEqual(dead(NOT_IN_STORE));
    }
  });

  it('after a crash in the middle of the sales of a click, its record links the rest', async () => {
    const shop = await Shop.open(subject);
    const mail = await shop.mail();
    const sales = [await shop.sale({ messageId: mail.id }), await shop.sale({ messageId: mail.id })];
    const click = await shop.click(mail);
    const { conversions } = subject.stores;
    let calls = 0;
    const dying: Stores['conversions'] = {
      ...conversions,
      link: (id) => ((calls += 1) === 2 ? Promise.reject(new Error('crash')) : conversions.link(id)),
    };
    await expect(handle('message.events', clickOf(shop, click), { conversions: dying })).rejects.toThrow('crash');
    expect((await Promise.all(sales.map(linked))).filter((id) => id !== undefined)).toHaveLength(1);
    expect(await handle('message.events', clickOf(shop, click))).toEqual(ok);
    expect(await Promise.all(sales.map(linked))).toEqual([click.id, click.id]);
  });
});

describe('the end of the wait', () => {
  let stop: (() => Promise<void>) | null = null;
  afterEach(() => stop?.());

  /** Settles while the oldest hit that is still to be handled is from this time. */
  function settleWith(oldestHit: () => number | null): DueRunner<typeof CONVERSION_WORK> {
    const { stores, clock } = subject;
    const log = { behindSince: async () => oldestHit() };
    const { runner, errors } = dueRunner(subject, CONVERSION_WORK, settleWork({ stores, log, clock }));
    runner.start();
    stop = async () => {
      await runner.stop();
      expect(errors).toEqual([]);
    };
    return runner;
  }

  it('comes an hour after the receipt: a click without its event links the sale, without one it is removed', async () => {
    const shop = await Shop.open(subject);
    const mail = await shop.mail();
    const [clicked, other] = [await shop.sale({ messageId: mail.id }), await shop.sale({ orderId: 'A-1' })];
    const click = await shop.click(mail);
    const { stores, clock } = subject;
    const worker = settleWith(() => clock.now());
    clock.advance(LINKED_WITHIN - MINUTE);
    expect(await worker.isIdle()).toBe(true);
    expect(await linked(clicked)).toBeUndefined();
    clock.advance(MINUTE + 1);
    expect(await worker.isIdle()).toBe(false);
    await eventually(async () => expect(await linked(clicked)).toBe(click.id));
    await eventually(async () => expect(await stores.conversions.get(other.id)).toBeNull());
  });

  // spec: docs/contract.md#attribution: after an outage, until the clicks from before its end are stored
  it('is put off while hits from before it are still to be handled: one of them may be the click', async () => {
    const { stores, clock } = subject;
    const shop = await Shop.open(subject);
    const mail = await shop.mail();
    const receivedAt = clock.now();
    const facts = { occurredAt: receivedAt, receivedAt };
    const [clicked, lost] = [await shop.sale({ messageId: mail.id, ...facts }), await shop.sale(facts)];
    let oldest: number | null = receivedAt + LINKED_WITHIN;
    const worker = settleWith(() => oldest);
    clock.advance(LINKED_WITHIN + HOUR);
    expect(await worker.isIdle()).toBe(false);
    const dueSales = async () => (await stores.dueTasks.nextDue(CONVERSION_WORK)) ?? 0;
    await eventually(async () => expect(await dueSales()).toBe(clock.now() + 5 * MINUTE));
    for (const { id } of [clicked, lost]) expect((await stores.conversions.get(id))?.link).toBeNull();
    const click = await shop.click(mail, receivedAt - 1);
    oldest = null;
    clock.advance(5 * MINUTE);
    expect(await worker.isIdle()).toBe(false);
    await eventually(async () => expect(await linked(clicked)).toBe(click.id));
    await eventually(async () => expect(await stores.conversions.get(lost.id)).toBeNull());
  });
});
