import type { Envelope, HandOffOutcome, Transport } from '../../email/transports/transport';
import type { MtaBehaviour } from './operations';

/** A sending server that follows a script and knows what it took. It never crashes. */
export class Mta implements Transport {
  /** How often each message was taken. */
  readonly taken = new Map<string, number>();
  private script: MtaBehaviour[] = [];

  /** Sets the behaviour for the next mails; after those it takes everything. */
  follow(script: readonly MtaBehaviour[]): void {
    this.script = [...script];
  }

  async handOff({ envid }: Envelope, _raw: Buffer, fence: () => Promise<boolean>): Promise<HandOffOutcome> {
    const behaviour = this.script.shift() ?? 'taken';
    if (behaviour === 'no connection') return { kind: 'not_sent', reason: behaviour };
    if (behaviour === 'not now') return { kind: 'refused', permanent: false, reply: '451 not now' };
    if (behaviour === 'never') return { kind: 'refused', permanent: true, reply: '550 never' };
    const passed = await fence().catch(() => false);
    if (!passed) return { kind: 'fenced_out', reason: 'the fence did not open' };
    if (behaviour === 'cut in the body') return { kind: 'not_sent', reason: behaviour };
    if (behaviour === 'not now after all') return { kind: 'refused', permanent: false, reply: '452 not now' };
    if (behaviour === 'lost, no answer') return { kind: 'unknown', reason: behaviour };
    this.taken.set(envid, (this.taken.get(envid) ?? 0) + 1);
    return behaviour === 'taken' ? { kind: 'sent', reply: '250 ok' } : { kind: 'unknown', reason: behaviour };
  }

  largestMail(): null {
    return null;
  }

  async close(): Promise<void> {}
}
