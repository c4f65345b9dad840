import { showValue, type DerivedFault } from './check-derived';

/**
 * Checks the numbers of the ledger rows of a workspace in booking order: from 1 without gaps, the last one in the
 * account.
 */
export class LedgerNumbers {
  private readonly subject: string;
  private last = 0;

  constructor(workspaceId: number) {
    this.subject = `workspace ${workspaceId}`;
  }

  add({ seq }: { seq: unknown }): DerivedFault[] {
    if (!isCount(seq)) {
      return [this.fault('ledger rows numbered from 1', `one numbered ${showValue(seq)}`)];
    }
    const before = this.last;
    this.last = seq;
    return seq === before + 1 ? [] : [this.fault(`ledger row ${before + 1}`, `${seq} after ${before}`)];
  }

  /** Call at the end with the account; without one it has no rows. */
  settle(account: { seq: unknown } | undefined): DerivedFault[] {
    const seq = account ? account.seq : 0;
    return seq === this.last ? [] : [this.fault(`newest ledger row ${this.last}`, showValue(seq))];
  }

  private fault(expected: string, found: string): DerivedFault {
    return { subject: this.subject, expected, found };
  }
}

/** True for a whole number from 1 on. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;
