import type { OwnRate } from '../queue/send-rate';
import { ledgerId, type CoinAccount } from '../ledger/coins';
import { checkLedgerRow, type LedgerRecord } from './check-ledger-row';
import { NO_DIFFERENCE, showCoins, unless, type Difference } from './difference';
import { SendRateCheck } from './send-rate-check';

/**
 * Adds up the ledger of one workspace, row by row in booking order: its sum, the part not caused by messages, and the
 * claims, each with the account's rate at that point (premium needs an earlier top-up).
 */
export class LedgerTally {
  private sum = 0;
  private notOfMessages = 0;
  private purchased = false;
  private readonly rate: SendRateCheck;

  constructor(
    private readonly account: CoinAccount,
    rates: readonly OwnRate[] = [],
  ) {
    this.rate = new SendRateCheck(account.workspaceId, rates);
  }

  add(row: LedgerRecord): readonly Difference[] {
    this.sum += row.amount;
    if (row.messageId === null) this.notOfMessages += row.amount;
    if (row.kind === 'topup') this.purchased = true;
    const shape = checkLedgerRow(row);
    if (row.kind !== 'debit' || row.messageId === null || row.id === ledgerId.lateDebit(row.messageId)) return shape;
    const pace = this.rate.note(row.at, this.mayBePremium(row.at));
    return shape.length + pace.length === 0 ? NO_DIFFERENCE : [...shape, ...pace];
  }

  /** Call at the end. `messageCoins` is the share of the balance that follows from the facts of the messages. */
  settle(messageCoins: number): readonly Difference[] {
    const { workspaceId, balance, purchase } = this.account;
    const subject = `workspace ${workspaceId}`;
    const byMessages = this.notOfMessages + messageCoins;
    const bought = (was: boolean): string => (was ? 'has bought coins' : 'has bought none');
    return [
      ...unless(balance === this.sum, 'balance', subject, `${this.sum}`, `${balance}`),
      ...unless(balance === byMessages, 'balance-by-messages', subject, this.showSum(messageCoins), `${balance}`),
      ...unless(
        (purchase !== undefined) === this.purchased,
        'purchase',
        subject,
        bought(this.purchased),
        bought(purchase !== undefined),
      ),
    ];
  }

  /** Only the end of the last purchase is stored, so between purchases the account counts as premium. */
  private mayBePremium(at: number): boolean {
    const ends = this.account.purchase?.expiresAt ?? null;
    return this.purchased && (ends === null || at < ends);
  }

  private showSum(messageCoins: number): string {
    return `${this.notOfMessages + messageCoins} (${this.notOfMessages} given or taken, ${showCoins(messageCoins)} for messages)`;
  }
}
