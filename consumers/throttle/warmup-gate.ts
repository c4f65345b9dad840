import { changeByRule } from '../../operations/destinations/destination-states';
import { WARMUP_STATES } from '../../operations/warmup/warmups';
import type { MailClass } from '../../domain/destinations/pace';
import type { RecordEntry } from '../../domain/records/record';
import {
  givenBack,
  planned,
  roomOf,
  stateId,
  stateNow,
  taken,
  type Warmup,
  type WarmupState,
} from '../../domain/warmup/warmup-state';
import { InTurn } from '../../lib/in-turn';
import type { RecordStore } from '../../stores/ports/record-store';

/** Mail of a domain that is warmed up, to one destination. */
export interface WarmedMail {
  warmup: RecordEntry<Warmup>;
  destination: string;
  mails: MailClass;
  now: number;
}

/**
 * Gives out the volume of the day, in the store, so that the processes together keep to it. What could not be claimed
 * afterwards is given back; after a failure it has taken its part all the same.
 */
export class WarmupGate {
  private readonly known = new Map<string, RecordEntry<WarmupState>>();
  /** Changes of a state: those of one process take turns. */
  private readonly changes = new InTurn();

  constructor(private readonly records: Pick<RecordStore, 'get' | 'change'>) {}

  /** How many mails the day may have room for: another process may have taken it meanwhile. */
  async room({ warmup, destination, mails, now }: WarmedMail): Promise<number> {
    const id = stateId(warmup.id, destination);
    const entry = this.knownOf(id, warmup) ?? (await this.records.get(WARMUP_STATES, id, now));
    if (entry) this.known.set(id, entry);
    return roomOf(stateNow(warmup.body, entry?.body ?? null, now), mails, now);
  }

  /**
   * Takes room for `count` mails at most, and plans the days of `waiting` ones and, if they wait too, of those that it
   * was not enough for, which come first. Resolves to how many may go, and the turns of the others, ms.
   */
  take(of: WarmedMail, count: number, waiting: number): Promise<{ count: number; turns: number[] }> {
    return this.inTurn(of, (id) => this.change(id, of, { count, waiting }));
  }

  /** Gives back the room of mails that were not claimed after all. */
  giveBack(of: WarmedMail, count: number): Promise<void> {
    return this.inTurn(of, async (id) => {
      const known = this.knownOf(id, of.warmup);
      const back = (before: WarmupState | null) => before && givenBack(before, count, of.now);
      const entry = await this.records.change(WARMUP_STATES, id, back, { now: of.now, known });
      if (entry) this.known.set(id, entry);
    });
  }

  private inTurn<T>({ warmup, destination }: WarmedMail, change: (id: string) => Promise<T>): Promise<T> {
    const id = stateId(warmup.id, destination);
    return this.changes.run(id, () => change(id));
  }

  /** Versions begin again with a new warm-up. */
  private knownOf(id: string, { body }: WarmedMail['warmup']): RecordEntry<WarmupState> | undefined {
    const known = this.known.get(id);
    return known?.body.of === body.startedAt ? known : undefined;
  }

  private async change(
    id: string,
    { warmup: entryOfWarmup, mails, now }: WarmedMail,
    { count: wanted, waiting }: { count: number; waiting: number },
  ): Promise<{ count: number; turns: number[] }> {
    const warmup = entryOfWarmup.body;
    const known = this.knownOf(id, entryOfWarmup);
    const { entry, answer } = await changeByRule(this.records, WARMUP_STATES, id, { now, known }, (before) => {
      const state = stateNow(warmup, before, now);
      // What is known here may be old: that the goal was reached is decided on what is stored.
      if (state.done) return { body: state, answer: { count: wanted, turns: Array<number>(waiting).fill(now) } };
      const count = Math.min(wanted, roomOf(state, mails, now));
      const left = taken(state, mails, count);
      const rest = warmup.server === null ? waiting + wanted - count : 0;
      const plan = planned(warmup, left, { mails, count: rest, now });
      return { body: plan.state, answer: { count, turns: plan.turns } };
    });
    this.known.set(id, entry);
    return answer;
  }
}
