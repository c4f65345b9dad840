import { describe, expect, it } from '@jest/globals';
import { hourOf } from '../../../domain/engagement/engagement';
import type { EngagementFilter, MessageHour, StatusFilter } from '../../../domain/messages/message-hour';
import { ENGAGEMENTS } from '../../../domain/messages/message-hour';
import type { MessageState } from '../../../domain/messages/message';
import { HOUR } from '../../../lib/clock';
import { acceptMessage, aSignal, createSender, type Sender } from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { sharedEngine, type OpenEngine, type Subject } from '../harness';

/** Long over: an engine may keep its counts. */
const HOUR_OVER = hourOf(TEST_START) - 30 * HOUR;

class Place {
  constructor(
    private readonly subject: Subject,
    readonly sender: Sender,
  ) {}

  async accept(createdAt: number, status: MessageState['status'] = 'queued'): Promise<string> {
    const { id } = await acceptMessage(this.subject.stores, this.sender, { facts: { createdAt } });
    if (status !== 'queued') await this.change(id, { status });
    return id;
  }

  async change(id: string, set: Partial<MessageState>): Promise<void> {
    await this.subject.stores.messages.change(id, () => ({ set, at: TEST_START, records: [] }));
  }

  did(id: string, kind: 'open' | 'click', at: number, machine: 'agent' | null = null): Promise<unknown> {
    return this.subject.stores.signals.store(aSignal(id, { kind, at, machine }), this.sender.workspace.id, []);
  }

  /** The counts of each hour of a day that has any, without zeros. */
  async hours(since = HOUR_OVER, until = since + 31 * HOUR): Promise<object> {
    const found = await this.subject.stores.messageHours.between(this.sender.workspace.id, since, until);
    const some = ({ hour, ...counts }: MessageHour) =>
      [(hour - since) / HOUR, Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0))] as const;
    return Object.fromEntries(found.map(some).filter(([, counts]) => Object.keys(counts).length > 0));
  }

  async total(filter: { status?: StatusFilter; engagement?: EngagementFilter }): Promise<number> {
    const times = { since: HOUR_OVER, until: HOUR_OVER + 31 * HOUR - 1 };
    const cut = { offset: 0, limit: 1 };
    return (await this.subject.stores.messages.list(this.sender.workspace.id, { ...times, ...filter, ...cut })).total;
  }
}

/** The counts of messages by the hour of their acceptance. */
export function describeHours(open: OpenEngine): void {
  describe('hours', () => {
    const subject = sharedEngine(open);
    const place = async (): Promise<Place> => new Place(subject, await createSender(subject.stores));

    it('counts the messages of each hour by the status that they have now', async () => {
      const here = await place();
      const [first] = [await here.accept(HOUR_OVER), await here.accept(HOUR_OVER + HOUR - 1, 'delivered')];
      await here.accept(HOUR_OVER + HOUR, 'bounced');
      await (await place()).accept(HOUR_OVER, 'failed');
      expect(await here.hours()).toEqual({ 0: { queued: 1, delivered: 1 }, 1: { bounced: 1 } });
      await here.change(first, { status: 'sending' });
      expect(await here.hours()).toEqual({ 0: { sending: 1, delivered: 1 }, 1: { bounced: 1 } });
      expect(await here.hours(HOUR_OVER + HOUR)).toEqual({ 0: { bounced: 1 } });
      expect(await here.hours(HOUR_OVER, HOUR_OVER + HOUR)).toEqual({ 0: { sending: 1, delivered: 1 } });
    });

    it('counts what comes after all were final: late reports and complaints', async () => {
      const here = await place();
      const [one, other] = [await here.accept(HOUR_OVER, 'delivered'), await here.accept(HOUR_OVER, 'failed')];
      expect(await here.hours()).toEqual({ 0: { delivered: 1, failed: 1 } });
      await here.change(other, { status: 'delivered' });
      expect(await here.hours()).toEqual({ 0: { delivered: 2 } });
      await here.change(one, { complainedAt: TEST_START });
      expect(await here.hours()).toEqual({ 0: { delivered: 2, complained: 1 } });
      await here.change(one, { status: 'bounced' });
      expect(await here.hours()).toEqual({ 0: { delivered: 1, bounced: 1, complained: 1 } });
    });

    it('counts each opened and clicked message once, in the hour of its acceptance, people apart', async () => {
      const here = await place();
      const [one, two] = [await here.accept(HOUR_OVER, 'delivered'), await here.accept(HOUR_OVER + 9, 'delivered')];
      await here.did(one, 'open', HOUR_OVER + 5 * HOUR, 'agent');
      await here.did(one, 'open', HOUR_OVER + 6 * HOUR, 'agent');
      expect(await here.hours()).toEqual({ 0: { delivered: 2, opened: 1 } });
      await here.did(two, 'click', HOUR_OVER + 7 * HOUR);
      const clicked = { opened: 2, clicked: 1, openedByPeople: 1, clickedByPeople: 1 };
      expect(await here.hours()).toEqual({ 0: { delivered: 2, ...clicked } });
      await here.did(one, 'open', HOUR_OVER + 8 * HOUR);
      expect(await here.hours()).toEqual({ 0: { delivered: 2, ...clicked, openedByPeople: 2 } });
      const time = { from: HOUR_OVER, to: HOUR_OVER + 9 * HOUR, reason: 'delivery' as const };
      await subject.stores.signals.flag(two, here.sender.workspace.id, time);
      expect(await here.hours()).toEqual({ 0: { delivered: 2, opened: 2, clicked: 1, openedByPeople: 1 } });
    });

    it('agrees with the lists of the same time', async () => {
      const here = await place();
      const ids = [await here.accept(HOUR_OVER, 'delivered'), await here.accept(HOUR_OVER, 'sent_to_mta')];
      await here.accept(HOUR_OVER + HOUR, 'bounced');
      await here.accept(HOUR_OVER + HOUR, 'failed');
      const clickedByPerson = await here.accept(HOUR_OVER + 2 * HOUR, 'delivered');
      await here.did(clickedByPerson, 'click', HOUR_OVER + 3 * HOUR);
      await here.did(ids[0]!, 'click', HOUR_OVER + 3 * HOUR, 'agent');
      await here.did(ids[1]!, 'open', HOUR_OVER + 3 * HOUR, 'agent');
      await here.change(ids[0]!, { complainedAt: TEST_START });
      const found = Object.fromEntries(
        await Promise.all(ENGAGEMENTS.map(async (of) => [of, await here.total({ engagement: of })] as const)),
      );
      expect(found).toEqual({
        opened: 1,
        clicked: 1,
        'opened-by-machines': 2,
        'clicked-by-machines': 1,
        complained: 1,
      });
      expect(await here.total({ status: 'sent' })).toBe(4);
      expect(await here.total({ status: 'sent', engagement: 'opened-by-machines' })).toBe(2);
      expect(await here.total({ status: 'delivered', engagement: 'opened-by-machines' })).toBe(1);
    });
  });
}
