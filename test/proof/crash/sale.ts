import { MINUTE, SECOND } from '../../../lib/clock';
import { CONVERSION_WORK } from '../../../domain/conversions/attribution';
import { withData } from '../../../proof/crash/installation';
import type { Activity } from '../../../proof/crash/points';
import type { Scene } from '../../../proof/crash/stage/play';
import { bodyOf } from '../../../proof/world/mail-body';
import { linksOf } from '../../../proof/world/reader';

/** Activities with a sale. */
const SALES: readonly Activity[] = ['sale', 'early sale', 'lost sale'];
const AMOUNT = 250_000;

/** A buyer who clicks a link of the mail, and the shop that reports the sale until it is answered. */
export class Sale {
  private occurredAt: string | null = null;

  private constructor(
    private readonly scene: Scene,
    private readonly message: () => string,
    private readonly activity: Activity,
  ) {}

  /** Null for activities without a sale. */
  static of(scene: Scene, message: () => string, activity: Activity): Sale | null {
    return SALES.includes(activity) ? new Sale(scene, message, activity) : null;
  }

  /** Sells, and waits until the sale is linked, or removed. */
  async play(signal: AbortSignal): Promise<void> {
    const { stage } = this.scene;
    // A click at the moment of the delivery would be that of a machine.
    if (this.occurredAt === null) await stage.advance(2 * MINUTE);
    if (this.activity === 'early sale') await this.report();
    if (this.activity !== 'lost sale') await this.click();
    if (this.activity !== 'early sale') await this.report();
    if (this.activity === 'lost sale') await stage.advance(61 * MINUTE);
    // Removed, or linked, which takes its work away.
    await withData(stage.installation, async ({ stores }) => {
      while (!signal.aborted && (await stores.dueTasks.nextDue(CONVERSION_WORK)) !== null) await timeout(20);
    });
  }

  /** Reports it once more, which adds nothing. */
  async repeat(): Promise<void> {
    await this.report();
  }

  private async report(): Promise<void> {
    const { stage, outside, senders } = this.scene;
    const { workspaceId: workspace, apiKey: key } = senders[0]!;
    // Ahead by less than the grace, so that the click that follows comes before the sale.
    this.occurredAt ??= new Date(stage.now() + (this.activity === 'early sale' ? 55 * SECOND : 0)).toISOString();
    const message = this.message();
    const body = { amount: AMOUNT, message_id: message, order_id: 'INV-1', occurred_at: this.occurredAt };
    await outside.insist('sale', {
      name: 'shop',
      value: { workspace, order: 'INV-1', amount: AMOUNT, message },
      path: '/v1/conversions',
      asked: { key, body },
      said: ({ status, body: answer }) => ({ status, duplicate: answer['duplicate'] === true }),
    });
  }

  /** As a browser follows the link. */
  private async click(): Promise<void> {
    const { outside } = this.scene;
    const path = linksOf(bodyOf(outside.server.mails.at(-1)?.source ?? '')).clicks[0] ?? '';
    await outside.insist('click', {
      name: 'person',
      value: { message: this.message(), link: 0 },
      path,
      asked: {},
      said: ({ status }) => ({ status }),
    });
  }
}

const timeout = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
