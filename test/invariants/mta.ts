import type { Envelope, HandOffOutcome, Transport } from '../../email/transports/transport';
import type { MtaBehaviour } from './operations';

/** A sending server that does as it is told and knows what it took. Not part of what crashes. */
export class Mta implements Transport {
  /** Mails taken, by message. */
  readonly taken = new Map<string, number>();
  private script: MtaBehaviour[] = [];

  /** What it does with the next mails; after them it takes everything. */
  follow(script: readonly MtaBehaviour[]): void {
    this.script = [...script];
  }

  async handOff({ envid }: Envelope, _raw: Buffer, fence: () => Promise<boolean>): Promise<HandOffOutcome> {
    const conduct = this.script.shift() ?? 'taken';
    if (conduct === 'no connection') return { kind: 'not_sent', reason: conduct };
    if (conduct === 'not now') return { kind: 'refused', permanent: false, reply: '451 not now' };
    if (conduct === 'never') return { kind: 'refused', permanent: true, reply: '550 never' };
    const passed = await fence().catch(() => false);
    if (!passed) return { kind: 'fenced_out', reason: 'the fence did not open' };
    if (conduct === 'cut in the body') return { kind: 'not_sent', reason: conduct };
    if (conduct === 'not now after all') return { kind: 'refused', permanent: false, reply: '452 not now' };
    if (conduct === 'lost, no answer') return { kind: 'unknown', reason: conduct };
    this.taken.set(envid, (this.taken.get(envid) ?? 0) + 1);
    return conduct === 'taken' ? { kind: 'sent', reply: '250 ok' } : { kind: 'unknown', reason: conduct };
  }

  async close(): Promise<void> {}
}
