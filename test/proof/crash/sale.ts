import { MINUTE, SECOND } from '../../../lib/clock';
import type { ApiCaller, Offer } from '../../../proof/crash/caller';
import type { Activity } from '../../../proof/crash/points';
import type { Stage } from '../../../proof/crash/stage/stage';

/** Activities with a sale. */
const SALES: readonly Activity[] = ['sale', 'early sale', 'lost sale'];
const AMOUNT = 250_000;

/** A buyer who clicks a link of the mail, and the shop that reports the sale until it is answered. */
export class Sale {
  private occurredAt: string | null = null;

  private constructor(
    private readonly stage: Stage,
    private readonly caller: ApiCaller,
    private readonly offer: Offer,
    private readonly activity: Activity,
  ) {}

  /** Null for activities without a sale. */
  static of(stage: Stage, caller: ApiCaller, offer: Offer, activity: Activity): Sale | null {
    return SALES.includes(activity) ? new Sale(stage, caller, offer, activity) : null;
  }

  /** Sells, and waits until the sale is linked, or removed. */
  async play(signal: AbortSignal): Promise<void> {
    // A click at the moment of the delivery would be that of a machine.
    if (this.occurredAt === null) await this.stage.advance(MINUTE);
    if (this.activity === 'early sale') await this.report(signal);
    if (this.activity !== 'lost sale') await this.click(signal);
    if (this.activity !== 'early sale') await this.report(signal);
    if (this.activity === 'lost sale') await this.stage.advance(61 * MINUTE);
    while (!signal.aborted && !(await this.isSettled())) await timeout(20);
  }

  /**
   * What is wrong with the sales in the end: one is linked to the mail, or none without a click; a repeat adds nothing.
   */
  async wrong(): Promise<string[]> {
    const repeat = await this.send();
    const list = await this.list();
    const sales = (list ?? []).map(({ amount, message_id: of }) => `${String(amount)} of ${String(of)}`);
    const expected = this.activity === 'lost sale' ? [] : [`${AMOUNT} of ${this.offer.id}`];
    return [
      ...(repeat?.status === 200 && repeat.body['duplicate'] === true
        ? []
        : ['the repeat of the sale is no duplicate']),
      ...(list && sales.join() === expected.join() ? [] : [`linked sales: ${sales.join(', ') || 'none'}`]),
      ...((await this.waits()) ? ['the sale still waits'] : []),
    ];
  }

  private async report(signal: AbortSignal): Promise<void> {
    // Ahead by less than the grace, so that the click that follows comes before the sale.
    this.occurredAt ??= new Date(this.stage.now() + (this.activity === 'early sale' ? 55 * SECOND : 0)).toISOString();
    while (!signal.aborted) {
      const reply = await this.send();
      if (reply?.status === 201 || reply?.status === 200) return;
      if (reply && reply.status < 500) throw new Error(`POST /conversions answered ${reply.status}`);
      await timeout(20);
    }
  }

  private send() {
    const body = { amount: AMOUNT, message_id: this.offer.id, order_id: 'INV-1', occurred_at: this.occurredAt };
    return this.caller.request(this.offer.sender.apiKey, '/conversions', body);
  }

  private async list(): Promise<Record<string, unknown>[] | null> {
    const reply = await this.caller.request(this.offer.sender.apiKey, '/conversions');
    return reply?.status === 200 ? (reply.body['data'] as Record<string, unknown>[]) : null;
  }

  private async isSettled(): Promise<boolean> {
    if (this.activity === 'lost sale') return !(await this.waits());
    return (await this.list())?.length === 1;
  }

  private waits(): Promise<boolean> {
    return this.stage.service.call('salesDue', undefined).then(
      (due) => due !== null,
      () => true,
    );
  }

  /** As a browser follows the link. */
  private async click(signal: AbortSignal): Promise<void> {
    const mail = plain(await this.stage.sink.lastMail());
    const path = /\/t\/c\/[\w-]+\/\d+/.exec(mail)?.[0] ?? '';
    for (let ok = false; !ok && !signal.aborted;) {
      ok = await fetch(new URL(path, this.stage.baseUrl), { redirect: 'manual' }).then(
        ({ status }) => status === 302,
        () => false,
      );
      if (!ok) await timeout(20);
    }
  }
}

/** The text of a quoted-printable mail. */
export const plain = (source: string): string =>
  source.replaceAll('=\r\n', '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

const timeout = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
