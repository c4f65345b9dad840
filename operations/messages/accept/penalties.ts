import { addressPenalty, type PenaltyReason } from '../../../domain/ledger/coins';
import type { OutgoingRecord } from '../../../streams/records';
import type { AcceptDeps } from './accept-deps';

/**
 * The penalties of forced sends, collected while messages are checked and published together. The ledger books each one
 * once per address and reason in 24 h (docs/contract.md#penalty-for-a-forced-send).
 */
export class Penalties {
  private readonly records: OutgoingRecord[] = [];

  constructor(private readonly deps: Pick<AcceptDeps, 'log' | 'clock'>) {}

  /** `addressHash` is the keyed hash of the address in lower case. */
  add(workspaceId: number, addressHash: string, reason: PenaltyReason): void {
    const value = addressPenalty(workspaceId, addressHash, reason, this.deps.clock.now());
    this.records.push({ topic: 'coins.entries', key: String(workspaceId), value });
  }

  /** Resolves once all of them are durable in the log; rejects when that is uncertain. Without any there is no wait. */
  publish(): Promise<void> | undefined {
    return this.records.length > 0 ? this.deps.log.publish(this.records) : undefined;
  }
}
