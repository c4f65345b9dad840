import { MINUTE, SECOND } from '../../lib/clock';
import type { OperationFaults } from '../../lib/operation-faults';
import { UnavailableError } from '../../lib/errors';
import type { Profile } from './profile';
import type { Owner } from './schedule';
import type { World } from './world';

/** How long a process is frozen at most, and how far its clock is set back, ms. */
const LONGEST_FREEZE = MINUTE;
const SET_BACK = 10 * MINUTE;

/** Deaths after which a program lives on: it would do little but start. */
const MAX_DEATHS = 12;
/** Most calls look whether there is something to do. So much more often it dies when a mail was just taken. */
const DEADLY = 25;
const TAKEN = 'messages.change:sent_to_mta';

const never = (): Promise<never> => new Promise(() => undefined);

/** How often each fault happened, by kind and by place. */
export type FaultCounts = Map<string, number>;

/**
 * Faults at the calls of the stores and of the log, drawn from the seed: each call is a point at which the program may
 * be killed, the call may fail before or after it took effect, or take its time.
 */
export class DrawnFaults implements OperationFaults {
  isOn = true;
  readonly counts: FaultCounts = new Map();
  /** Calls that have failed so far. */
  failures = 0;
  private deaths = 0;

  constructor(
    private readonly world: World,
    private readonly profile: Pick<Profile, 'faults' | 'longest'>,
    private readonly acts: { die: () => void; onFault: (kind: string, behind?: number) => void },
  ) {}

  async around<T>(
    operation: string,
    label: string | null,
    call: () => Promise<T>,
    failure = (): Error => new UnavailableError(`${operation} fails in this world`),
  ): Promise<T> {
    const owner = this.world.schedule.current;
    if (!owner.alive) return never();
    if (!this.isOn) return call();
    const random = this.world.random.faults;
    const { error, slow } = this.profile.faults;
    const name = label === null ? operation : `${operation}:${label}`;
    const when = random.chance(0.5) ? 'before' : 'after';
    if (random.chance(this.profile.faults.freeze)) this.freeze(owner);
    if (random.chance(this.profile.faults.clock)) this.setClock(random.chance(0.5) ? 0 : -random.between(0, SET_BACK));
    if (random.chance(slow)) await this.pause(random.between(0, this.profile.longest));
    if (this.isDeadly(name)) {
      if (when === 'after') await call();
      this.die(`kill ${when} ${name}`);
      return never();
    }
    if (random.chance(error)) {
      if (when === 'after') await call();
      this.happen(`error ${when} ${name}`, 'error');
      throw failure();
    }
    const value = await call();
    return this.isAlive(owner) ? value : never();
  }

  private isDeadly(name: string): boolean {
    return this.world.random.faults.chance(this.kill * (name === TAKEN ? DEADLY : 1));
  }

  /** How probable a death is now. */
  get kill(): number {
    return this.deaths < MAX_DEATHS ? this.profile.faults.kill : 0;
  }

  /** Ends the program at a named point. */
  die(point: string): void {
    this.deaths += 1;
    this.count(point);
    this.acts.die();
  }

  /** The process stands still for a while, and does not know. */
  private freeze(owner: Owner): void {
    const { schedule, random } = this.world;
    owner.frozenUntil = schedule.now + random.faults.between(SECOND, LONGEST_FREEZE);
    this.count('freeze');
    this.acts.onFault('freeze');
    schedule.after(owner.frozenUntil - schedule.now, 'thaw', () => this.acts.onFault('thaw'), this.world.outside);
  }

  /** Sets the clock of the machine back, or right. */
  setClock(skew: number): void {
    if (this.world.schedule.skew === skew) return;
    this.world.schedule.skew = skew;
    this.count('clock');
    this.acts.onFault('clock', -skew);
  }

  /** A method, because the owner may die during a call. */
  private isAlive({ alive }: Owner): boolean {
    return alive;
  }

  /** Time that a call takes; a process that dies meanwhile never goes on. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.world.schedule.after(ms, 'slow call', resolve));
  }

  /** Counts a fault, and tells of it. */
  happen(what: string, kind: string): void {
    this.count(what);
    this.failures += 1;
    this.acts.onFault(kind);
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}
