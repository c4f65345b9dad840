import { maskAddresses } from '../../domain/addresses/mask-addresses';
import type { HandOffOutcome, Transport } from '../../email/transports/transport';
import { MINUTE } from '../../lib/clock';
import type { Logger } from '../../lib/logger';

/** The server is logged at most this often, ms. */
const LOG_EVERY = MINUTE;
/** Refusals for good in a row, after which they are hardly about single mails. */
const MANY_REFUSED = 10;
const MAX_TEXT = 200;

/**
 * Notices when the sending server takes no mail, from the outcomes of hand-offs: it is logged once a minute with the
 * count, and `look` says it to `/readyz` until the server takes a mail again.
 */
export class SendingServerWatch {
  private failing: { since: number; mails: number; text: string } | null = null;
  private refusedInARow = 0;
  private unlogged = 0;
  private loggedAt = -Infinity;

  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    /** Real time, ms. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The same transport, watched. */
  transport(transport: Transport): Transport {
    return {
      handOff: async (envelope, raw, fence) => {
        const outcome = await transport.handOff(envelope, raw, fence);
        this.observe(outcome);
        return outcome;
      },
      largestMail: (server) => transport.largestMail(server),
      close: () => transport.close(),
    };
  }

  observe(outcome: HandOffOutcome): void {
    if (outcome.kind === 'fenced_out') return;
    if (outcome.kind === 'sent') {
      this.failing = null;
      this.refusedInARow = 0;
      return;
    }
    const isPermanent = outcome.kind === 'refused' && outcome.permanent;
    this.refusedInARow = isPermanent ? this.refusedInARow + 1 : 0;
    if (isPermanent && this.refusedInARow < MANY_REFUSED) return;
    const text = 'reply' in outcome ? outcome.reply : outcome.reason;
    this.failed(maskAddresses(text.slice(0, MAX_TEXT)), isPermanent ? this.refusedInARow : 1);
  }

  /** Why the server takes no mail; null while it does. */
  fault(): string | null {
    if (!this.failing) return null;
    const { since, mails, text } = this.failing;
    const minutes = Math.floor((this.now() - since) / MINUTE);
    return `it has accepted no messages for ${minutes} min, ${mails} tried: ${text}`;
  }

  private failed(text: string, mails: number): void {
    const now = this.now();
    const before = this.failing;
    this.failing = { since: before?.since ?? now, mails: (before?.mails ?? mails - 1) + 1, text };
    this.unlogged += 1;
    if (now - this.loggedAt < LOG_EVERY) return;
    this.logger.warn({ mails: this.unlogged, text }, 'the sending server did not accept a message; it is tried again');
    this.loggedAt = now;
    this.unlogged = 0;
  }
}
