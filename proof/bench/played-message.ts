import { applyFeedback } from '../../domain/messages/apply-feedback';
import { DAY, MINUTE } from '../../lib/clock';
import { COIN_PER_MAIL, ledgerId, type LedgerEntry } from '../../domain/ledger/coins';
import type { FeedbackKind } from '../../domain/messages/feedback';
import {
  overdue,
  passFence,
  refusedPermanently,
  refusedTemporarily,
  sent,
  type Outcome,
} from '../../domain/messages/lifecycle';
import type { Attempt, Message, StatusChange } from '../../domain/messages/message';
import { HAND_OFF_LEASE } from '../../domain/messages/retry-schedule';

const EVIDENCE_WAIT = 4 * DAY;
/** How many of a hundred mails end each way. */
const ADDRESS_UNKNOWN = 'address_unknown' as const;
const SHARES = { delivered: 84, bounced: 4, complained: 1, rejected: 3, retried: 4, noRecord: 1, late: 1, sent: 1 };
const ENDS = Object.entries(SHARES).flatMap(([end, share]) => Array<Ending>(share).fill(end as Ending));
export type Ending = keyof typeof SHARES;

/** How message number `n` ends. Of a hundred in a row each ending has its share. */
export const endingOf = (n: number): Ending => ENDS[(n * 37) % ENDS.length] ?? 'delivered';

/** A message that passes through the rules of the service without a store, with everything a store would keep. */
export class PlayedMessage {
  readonly history: StatusChange[];
  readonly attempts: Attempt[] = [];
  readonly ledger: LedgerEntry[] = [];
  private fences = 0;

  constructor(readonly message: Message) {
    this.history = [{ status: 'queued', at: message.createdAt }];
  }

  /** From the first claim, a moment after acceptance, to its end. */
  play(ending: Ending): this {
    const claimedAt = this.message.createdAt + 20;
    this.claim(claimedAt);
    switch (ending) {
      case 'delivered':
      case 'bounced':
        return this.handOver(claimedAt).report(ending, claimedAt + 900);
      case 'complained':
        return this.handOver(claimedAt)
          .report('delivered', claimedAt + 900)
          .report('complaint', claimedAt + MINUTE);
      case 'rejected':
        this.pass(claimedAt + 20);
        return this.apply(refusedPermanently(this.message, this.hand, '550 5.1.1 No such user', claimedAt + 30));
      case 'retried':
        return this.retry(claimedAt).report('delivered', claimedAt + 2 * MINUTE);
      case 'noRecord':
        return this.handOver(claimedAt).wait();
      case 'late':
        return this.handOver(claimedAt)
          .wait()
          .report('delivered', claimedAt + EVIDENCE_WAIT + MINUTE);
      case 'sent':
        return this.handOver(claimedAt);
    }
  }

  private get hand(): { attempt: number; fence: string | null } {
    return { attempt: this.message.attempt, fence: this.message.fence };
  }

  private claim(at: number): void {
    const { message } = this;
    const n = message.attempt + 1;
    this.change({ status: 'sending', failedReason: null, dueAt: at + HAND_OFF_LEASE, attempt: n }, at);
    Object.assign(message, { firstClaimedAt: message.firstClaimedAt ?? at, fence: null, fencedAt: null });
    const { id: messageId, workspaceId } = message;
    const open = { fencedAt: null, finishedAt: null, outcome: null, reply: null };
    this.attempts.push({ messageId, workspaceId, n, claimedAt: at, ...open });
    const amount = -COIN_PER_MAIL;
    this.ledger.push({ id: ledgerId.debit(messageId, n), workspaceId, kind: 'debit', amount, messageId, at });
  }

  private pass(at: number): void {
    this.apply(passFence(this.message, this.message.attempt, `fence.${(this.fences += 1)}`, at));
  }

  private handOver(claimedAt: number): this {
    this.pass(claimedAt + 20);
    return this.apply(sent(this.message, this.hand, '250 2.0.0 Taken', claimedAt + 30, EVIDENCE_WAIT));
  }

  /** Refused temporarily, and accepted a minute later. */
  private retry(claimedAt: number): this {
    const refusal = { reply: '451 4.7.1 Try again', outcome: 'refused_temporarily' } as const;
    this.apply(refusedTemporarily(this.message, this.hand, refusal, claimedAt + 30));
    const again = claimedAt + 30 + MINUTE;
    this.claim(again);
    return this.handOver(again);
  }

  private wait(): this {
    return this.apply(overdue(this.message, this.message.dueAt ?? 0, EVIDENCE_WAIT));
  }

  private report(kind: FeedbackKind, at: number): this {
    const hard = kind === 'bounced';
    const feedback = {
      kind,
      trusted: true,
      text: '5.1.1 No such user',
      class: hard ? ADDRESS_UNKNOWN : null,
      hard,
      at,
    };
    return this.apply(applyFeedback(this.message, feedback, EVIDENCE_WAIT)?.outcome ?? null);
  }

  private apply(outcome: Outcome | null): this {
    if (!outcome) throw new Error(`a ${this.message.status} message cannot take this step`);
    this.change(outcome.set, outcome.at);
    this.ledger.push(...outcome.ledger.filter(({ id }) => this.ledger.every((row) => row.id !== id)));
    Object.assign(this.attempts.at(-1) ?? {}, outcome.attempt);
    return this;
  }

  private change(set: Outcome['set'], at: number): void {
    if (set.status !== undefined && set.status !== this.message.status) this.history.push({ status: set.status, at });
    Object.assign(this.message, set);
  }
}
