import { statSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR, SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import { canFillDisk } from '../../crash/stage/child';
import type { Stage } from '../../crash/stage/stage';
import type { Random } from '../../world/random';
import type { Recorder } from '../../world/recorder';

/** What happens to the program in the real half, and how often in a hundred. */
const FAULTS = { kill: 50, 'kill in its start': 26, freeze: 8, disk: 6, clock: 5, leap: 5 } as const;
export type RealFault = keyof typeof FAULTS;
export const REAL_FAULTS = Object.keys(FAULTS) as RealFault[];

/** A clock may be set back by less than the judge grants, ms. */
const BACK = 3 * SECOND;
/** Room that is left on a full disk, bytes. */
const ROOM = 60_000;
/** A start takes about so long, ms. */
const START = 1_200;

/** Kills, freezes and starves the program, and sets its machine's clock, at moments that follow from the seed. */
export class Nemesis {
  readonly counts: Record<string, number> = {};
  private isFull = false;
  private failed = 0;
  /** How far its machine's clock was ahead at most, ms. */
  furthest = 0;

  constructor(
    private readonly stage: Stage,
    private readonly random: Random,
    private readonly recorder: Recorder,
  ) {}

  /** Each kind once, then as often as they come; in the end the program runs. */
  async rage(over: AbortSignal): Promise<void> {
    const first = [...REAL_FAULTS];
    while (!over.aborted) {
      const [fault = this.draw()] = first.splice(this.random.below(first.length), 1);
      await this.happen(fault === 'disk' && !canFillDisk() ? 'kill' : fault);
      await sleep(this.random.between(0, 400), over);
    }
  }

  /** Changes while calls of the store may fail. */
  get failures(): number {
    return this.isFull ? (this.failed += 1) : this.failed;
  }

  private draw(): RealFault {
    let left = this.random.below(100);
    return REAL_FAULTS.find((name) => (left -= FAULTS[name]) < 0) ?? 'kill';
  }

  private async happen(fault: RealFault): Promise<void> {
    const { random } = this;
    this.note(fault);
    if (fault === 'kill') return this.kill();
    if (fault === 'kill in its start') return this.killInStart();
    if (fault === 'freeze') return this.freeze();
    if (fault === 'disk') return this.fillDisk();
    if (fault === 'leap') return this.stage.advance(Math.ceil(random.between(SECOND, 2 * HOUR)));
    // Set right from time to time means: some seconds back.
    const isBack = random.chance(0.4);
    if (!isBack) this.furthest += Math.ceil(random.between(0, HOUR));
    this.member.shiftClock(this.furthest - (isBack ? Math.ceil(random.between(0, BACK)) : 0));
  }

  private async kill(): Promise<void> {
    await this.stage.kill();
    await sleep(this.random.between(0, 100));
    await this.start();
  }

  private async killInStart(): Promise<void> {
    await this.stage.kill();
    void this.stage.startMember(this.member);
    await sleep(this.random.between(0, START));
    this.note('kill');
    await this.kill();
  }

  private async freeze(): Promise<void> {
    this.member.process.freeze();
    await sleep(this.random.between(20, 1_500));
    if (this.random.chance(0.3)) {
      this.note('kill');
      return this.kill();
    }
    this.member.process.thaw();
  }

  /** No file may grow much beyond the write-ahead log of this moment, for a while. */
  private async fillDisk(): Promise<void> {
    const { size } = statSync(join(this.stage.dataDir, 'kurir.sqlite-wal'), { throwIfNoEntry: false }) ?? { size: 0 };
    this.isFull = true;
    this.member.process.limitFiles(size + this.random.below(ROOM));
    await sleep(this.random.between(100, 1_000));
    this.member.process.limitFiles(null);
    this.isFull = false;
    this.failed += 1;
    this.recorder.begin('nemesis', 'fault', { kind: 'room again' });
  }

  private async start(): Promise<void> {
    await this.stage.mustStart();
  }

  private note(kind: string): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    this.recorder.begin('nemesis', 'fault', { kind });
  }

  private get member() {
    return this.stage.members[0]!;
  }
}
