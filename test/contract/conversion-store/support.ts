import type { Conversion, ConversionLink, StoredConversion } from '../../../domain/conversions/conversion';
import type { Message } from '../../../domain/messages/message';
import type { Signal } from '../../../domain/engagement/signal';
import type { ConversionRecord } from '../../../streams/record-values';
import {
  aContact,
  acceptMessage,
  aSignal,
  createSender,
  type AcceptanceOptions,
  type Sender,
} from '../../support/builders';
import { TEST_START } from '../../support/clock';
import { aConversion } from '../../support/marketing';
import type { Subject } from '../harness';

/** A reported sale as it is stored until it is linked. */
export const waiting = (conversion: Conversion): StoredConversion => ({ ...conversion, link: null });

/** The record of a report. */
export const reportOf = ({ orderId: _, ...sale }: Conversion): ConversionRecord => ({
  kind: 'reported',
  ...sale,
  clickedAt: null,
});

/** A shop whose mails are clicked and whose buyers buy. */
export class Shop {
  private constructor(
    private readonly subject: Subject,
    readonly sender: Sender,
  ) {}

  static async open(subject: Subject): Promise<Shop> {
    return new Shop(subject, await createSender(subject.stores));
  }

  get workspaceId(): number {
    return this.sender.workspace.id;
  }

  get buyer(): number {
    return this.sender.contact.id;
  }

  mail(options: AcceptanceOptions = {}): Promise<Message> {
    return acceptMessage(this.subject.stores, this.sender, options);
  }

  /** A mail to somebody else. */
  async otherMail(): Promise<Message> {
    const contact = await this.subject.stores.contacts.ensure(aContact(this.workspaceId));
    return acceptMessage(this.subject.stores, { ...this.sender, contact });
  }

  async click(message: Message, at = TEST_START, overrides: Partial<Signal> = {}): Promise<Signal> {
    const click = aSignal(message.id, { kind: 'click', at, link: 0, ...overrides });
    await this.subject.stores.signals.store(click, message.workspaceId, []);
    return click;
  }

  async sale(overrides: Partial<Conversion> = {}): Promise<Conversion> {
    const sale = aConversion(this.workspaceId, { occurredAt: TEST_START, ...overrides });
    await this.subject.stores.conversions.accept(sale);
    return sale;
  }

  async link(sale: Conversion): Promise<ConversionLink | null | undefined> {
    await this.subject.stores.conversions.link(sale.id);
    return (await this.subject.stores.conversions.get(sale.id))?.link;
  }

  /** The due work of sales, as `id`. */
  async dueSales(now: number): Promise<string[]> {
    const tasks = await this.subject.stores.dueTasks.claim({ kind: 'conversion', now, leaseUntil: now, limit: 1_000 });
    return tasks.filter(({ workspaceId }) => workspaceId === this.workspaceId).map(({ id }) => id);
  }
}

export const linkTo = (
  { id, at, messageId }: Signal,
  campaignId: number | null = null,
  journeyId: number | null = null,
): ConversionLink => ({
  clickId: id,
  clickedAt: at,
  messageId,
  campaignId,
  journeyId,
});
