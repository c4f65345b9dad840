import { LRUCache } from 'lru-cache';
import {
  changeByRule,
  DESTINATION_PACES,
  listStates,
  paceOver,
} from '../../operations/destinations/destination-states';
import type { Destinations } from '../../operations/destinations/record-destination-reply';
import { warmupDestination } from '../../operations/warmup/record-outcome';
import { domainOf } from '../../domain/destinations/destination-rules';
import {
  factorNow,
  isStopped,
  NEW_DESTINATION,
  ownState,
  SEEN_AFTER,
  type DestinationState,
} from '../../domain/destinations/destination-state';
import {
  giveOut,
  isFree,
  mailClassOf,
  paceOf,
  type Given,
  type MailClass,
  type Pace,
  NEW_PACE,
  type PaceState,
} from '../../domain/destinations/pace';
import type { Lane } from '../../domain/messages/message';
import type { RecordEntry } from '../../domain/records/record';
import { heldByWarmup, type Warmup } from '../../domain/warmup/warmup-state';
import { InTurn } from '../../lib/in-turn';
import type { RecordStore } from '../../stores/ports/record-store';
import type { DueMessage, Hold, SendQueue } from '../../stores/ports/send-queue';
import { WarmupGate, type WarmedMail } from './warmup-gate';

/** What was given out to this process counts for so long, ms. */
const STOCK_FOR = 250;
/** Turns are planned in steps, so that mails of one step are claimed together, ms. */
const STEP = 250;
/** Paces that are kept in memory: with a limit for every domain there is one of each recipient's. */
const REMEMBERED = 10_000;
/** Not `max`, which takes the memory of all of them at once. */
const remembered = { maxSize: REMEMBERED, sizeCalculation: () => 1 };
/** The most looks at a lane in which every mail has to wait. */
const LOOKS = 4;

export interface GateSettings extends Destinations {
  /** The sending server of mail where there are several; null: the first. */
  serverOf?: (mail: { workspaceId: number; domainId: number; lane: Lane }) => Promise<string | null>;
}

export interface DestinationGateDeps extends GateSettings {
  queue: Pick<SendQueue, 'due' | 'hold'>;
  records: Pick<RecordStore, 'get' | 'change' | 'list'>;
}

/** Messages that may go, and the sending server that each must go over; undefined: whichever the rules name. */
export type Admitted = Map<string, string | undefined>;

/** Mails that were given out and have not gone. */
interface Allowance {
  mails: MailClass;
  count: number;
  until: number;
}

/** A clock that was set back makes it old too. */
const isOf = ({ until }: Allowance, now: number): boolean => now < until && until <= now + STOCK_FOR;

/** Messages of one destination over one sending server, and the warm-up of their domain. */
interface Group {
  destination: string;
  /** What its pace is kept as: receivers count by the address that sends. */
  paceId: string;
  warmup: RecordEntry<Warmup> | null;
  messages: readonly string[];
}

/** What the messages of a look have in common. */
interface Common {
  workspaceId: number;
  mails: MailClass;
  now: number;
}

/** Mails of a destination that want to go, and what they wait for if they may not. */
interface Ask {
  destination: string;
  /** What its turns are counted as: its pace, or what stops it. */
  id: string;
  mails: MailClass;
  count: number;
  now: number;
}

/**
 * Lets mail pass at the pace of its destination (docs/architecture.md#pacing-by-destination). Mails are given out by
 * the store in portions, so that the processes together keep a limit; what a process has in stock when it is killed is
 * not given out again. Mail that may not pass gets a turn later, and holds up no other.
 */
export class DestinationGate {
  private readonly warmupGate: WarmupGate;
  private states = new Map<string, DestinationState>();
  private readAt = -Infinity;
  private reading: Promise<void> | null = null;
  private readonly paces = new LRUCache<string, RecordEntry<PaceState>>(remembered);
  private readonly allowances = new LRUCache<string, Allowance>(remembered);
  /** Changes of a pace: those of one process take turns. */
  private readonly changes = new InTurn();
  /** The room that messages took which passed and are not settled. */
  private readonly rooms = new Map<string, WarmedMail>();

  constructor(private readonly deps: DestinationGateDeps) {
    this.warmupGate = new WarmupGate(deps.records);
  }

  /** The messages of a lane that may be claimed now, at most `limit`; null when no destination has a limit. */
  async pass(workspaceId: number, lane: Lane, limit: number, now: number): Promise<Admitted | null> {
    const { rules, warmups } = this.deps;
    await Promise.all([this.refresh(now), warmups.refresh()]);
    if (!rules.limitsRates && this.states.size === 0 && warmups.isNone) return null;
    for (let look = 1; ; look += 1) {
      const due = await this.deps.queue.due(workspaceId, lane, now, limit);
      const passing = await this.sort(workspaceId, lane, due, now);
      if (passing.size > 0 || due.length < limit || look === LOOKS) return passing;
    }
  }

  /** Gives back the room of what passed and was not claimed. `claimed`: null when nobody knows. */
  async settled(passing: Admitted, claimed: readonly string[] | null): Promise<void> {
    const unclaimed = new Map<string, { of: WarmedMail; count: number }>();
    const gone = new Set(claimed);
    for (const id of passing.keys()) {
      const of = this.rooms.get(id);
      this.rooms.delete(id);
      if (!of || claimed === null || gone.has(id)) continue;
      const key = `${of.warmup.id} ${of.destination}`;
      unclaimed.set(key, { of, count: (unclaimed.get(key)?.count ?? 0) + 1 });
    }
    for (const { of, count } of unclaimed.values()) await this.warmupGate.giveBack(of, count);
  }

  private async sort(workspaceId: number, lane: Lane, due: readonly DueMessage[], now: number): Promise<Admitted> {
    const passing: Admitted = new Map();
    const holds: Hold[] = [];
    const mails = mailClassOf(lane);
    for (const group of await this.groups(due, { workspaceId, lane })) {
      const sorted = await this.sortGroup({ ...group, workspaceId, mails, now });
      for (const [messageId, server] of sorted.passing) passing.set(messageId, server);
      holds.push(...sorted.holds);
    }
    if (holds.length > 0) await this.deps.queue.hold(workspaceId, holds, now);
    return passing;
  }

  /** What the warm-up of the domain has no room for waits, if it has no other server, and asks for no pace. */
  private async sortGroup(of: Group & Common): Promise<{ passing: [string, string | undefined][]; holds: Hold[] }> {
    const { destination, messages, warmup } = of;
    if (!warmup) {
      const { passing, holds } = await this.paced(of, messages);
      return { passing: passing.map((messageId) => [messageId, undefined]), holds };
    }
    const warmed = { ...of, warmup, destination: warmupDestination(this.deps.rules, destination) };
    const { server } = warmup.body;
    const room = await this.warmupGate.room(warmed);
    if (server !== null) return this.sortOver(server, of, { warmed, room });
    const late = messages.slice(room);
    const { passing: able, holds } = await this.paced(of, messages.slice(0, messages.length - late.length));
    const isNeeded = late.length > 0 || (able.length > 0 && room > 0);
    const { count, turns } = isNeeded
      ? await this.warmupGate.take(warmed, able.length, late.length)
      : { count: 0, turns: [] };
    const heldFor = heldByWarmup(warmup.id, warmed.destination);
    const later = [...able.slice(count), ...late].map((messageId, n) => ({ messageId, heldFor, dueAt: turns[n]! }));
    const going = able.slice(0, count);
    for (const id of going) this.rooms.set(id, warmed);
    return { passing: going.map((id) => [id, undefined]), holds: [...holds, ...later] };
  }

  /** What there is room for goes over the server that is warmed up, at its pace there; the rest goes the usual way. */
  private async sortOver(
    server: string,
    of: Group & Common,
    { warmed, room }: { warmed: WarmedMail; room: number },
  ): Promise<{ passing: [string, string | undefined][]; holds: Hold[] }> {
    const own = await this.paced({ ...of, paceId: paceOver(of.destination, server) }, of.messages.slice(0, room));
    const rest = await this.paced(of, of.messages.slice(room));
    const { count } = own.passing.length > 0 ? await this.warmupGate.take(warmed, own.passing.length, 0) : { count: 0 };
    // What another process took the room of is looked at again.
    const going = own.passing.slice(0, count);
    for (const id of going) this.rooms.set(id, warmed);
    return {
      passing: [
        ...going.map((id): [string, string] => [id, server]),
        ...rest.passing.map((id): [string, undefined] => [id, undefined]),
      ],
      holds: [...own.holds, ...rest.holds],
    };
  }

  /** Which messages the pace of the destination lets go, and the turns of the others. */
  private async paced(
    { destination, paceId, workspaceId, mails, now }: Group & Common,
    messages: readonly string[],
  ): Promise<{ passing: string[]; holds: Hold[] }> {
    if (messages.length === 0) return { passing: [], holds: [] };
    const blockedBy = this.blockedBy(destination, workspaceId, now);
    const [id, heldFor] = [blockedBy ?? paceId, blockedBy ?? destination];
    const { count, turns } = await this.ask({ destination, id, mails, count: messages.length, now });
    const waiting = messages.slice(count);
    const holds = waiting.map((messageId, n) => ({ messageId, heldFor, dueAt: endOfStep(turns[n]!, now) }));
    return { passing: messages.slice(0, count), holds };
  }

  /** By destination, sending server and, where its domain is warmed up, by domain. */
  private async groups(due: readonly DueMessage[], of: { workspaceId: number; lane: Lane }): Promise<Group[]> {
    const { routes, warmups, serverOf } = this.deps;
    const found = new Map<string, Group & { messages: string[] }>();
    for (const { messageId, domainId, to, attempt } of due) {
      const destination = routes.of(domainOf(to));
      // Tried again it took its room before, and has three days only.
      const warmup = attempt > 0 ? null : warmups.of(domainId);
      const server = serverOf ? await serverOf({ ...of, domainId }) : null;
      const paceId = server === null ? destination : paceOver(destination, server);
      const key = warmup ? `${paceId} ${domainId}` : paceId;
      const group = found.get(key);
      if (group) group.messages.push(messageId);
      else found.set(key, { destination, paceId, warmup, messages: [messageId] });
    }
    return [...found.values()];
  }

  /** What stops the mail of a workspace to a destination; null when nothing does. */
  private blockedBy(destination: string, workspaceId: number, now: number): string | null {
    if (this.states.size === 0) return null;
    return [destination, ownState(destination, workspaceId)].find((id) => isStopped(this.stateOf(id), now)) ?? null;
  }

  private stateOf(id: string): DestinationState {
    return this.states.get(id) ?? NEW_DESTINATION;
  }

  private async ask(ask: Ask): Promise<Given> {
    const { destination, id, count, now } = ask;
    const isHeld = isStopped(this.stateOf(id), now);
    if ((!isHeld && isFree(this.paceOf(destination, now))) || this.fromStock(ask)) return { count, turns: [] };
    return this.changes.run(id, () => this.give(ask));
  }

  private paceOf(destination: string, now: number): Pace {
    const { rules } = this.deps;
    return paceOf(rules.limitsOf(destination), factorNow(this.stateOf(destination), now), rules.slowedFrom);
  }

  private fromStock({ id, mails, count, now }: Ask): boolean {
    const allowance = this.allowances.get(id);
    if (allowance?.mails !== mails || !isOf(allowance, now) || allowance.count < count) return false;
    if (isStopped(this.stateOf(id), now)) return false;
    allowance.count -= count;
    return true;
  }

  /** Gives out mails of a destination, and plans the turns of the rest. */
  private async give(ask: Ask): Promise<Given> {
    const { destination, id, mails, count, now } = ask;
    if (this.fromStock(ask)) return { count, turns: [] };
    const unused = this.allowances.get(id)?.count ?? 0;
    this.allowances.delete(id);
    const paceAt = (at: number): Pace => this.paceOf(destination, at);
    const { stoppedUntil } = this.stateOf(id);
    const when = { now, known: this.paces.get(id) };
    const { entry, answer } = await changeByRule(this.deps.records, DESTINATION_PACES, id, when, (before) =>
      giveOut(paceAt, before ?? NEW_PACE, { mails, count, unused, stoppedUntil, now }),
    );
    this.paces.set(id, entry);
    if (answer.stock > 0) this.allowances.set(id, { mails, count: answer.stock, until: now + STOCK_FOR });
    return answer;
  }

  private async refresh(now: number): Promise<void> {
    if (performance.now() - this.readAt < SEEN_AFTER) return;
    this.reading ??= this.read(now).finally(() => (this.reading = null));
    await this.reading;
  }

  private async read(now: number): Promise<void> {
    const readAt = performance.now();
    const found = await listStates(this.deps.records, now);
    this.states = new Map(found.map(({ id, body }) => [id, body]));
    this.readAt = readAt;
  }
}

/** The end of the step of a turn. */
const endOfStep = (turn: number, now: number): number => Math.max(now + 1, Math.ceil(turn / STEP) * STEP);
