import type { AcquireOptions } from './semaphore';

/** What a caller holds of a budget. */
export interface ByteHold {
  /**
   * Takes more without waiting; false, and nothing is taken, when it does not fit or is more than its owner's share.
   */
  grow(bytes: number): boolean;
  /** Returns all of it. A second call does nothing. */
  release(): void;
}

/** Whoever shares a budget with others, such as a workspace. */
export type Owner = number | string;

interface Waiter {
  owner: Owner;
  bytes: number;
  /** Waiters are in the order of their turns. */
  turn: number;
  /** How many bytes later requests may still take before this one is served. */
  patience: number;
  settle: (hold: ByteHold | null) => void;
}

/** What an owner holds and asked for. */
interface Account {
  /** Bytes, and in how many holds that are not empty. */
  held: number;
  holds: number;
  waiting: number;
  /** The turn of its next request. */
  turn: number;
}

/**
 * A number of bytes shared by work that holds memory, and by the owners of that work.
 *
 * An owner may hold as much as is then still free, so one alone takes half, and two a third each: there is always room
 * for the first request of another (a dynamic threshold, as switches share their buffers). Its only hold may take
 * whatever fits.
 *
 * Requests are served in turn among owners (start-time fair queueing by bytes), and in order for each. One that fits
 * may pass those before it, until as many bytes as the whole budget have passed a waiter; one that waits only for its
 * own owner's share stops nobody else. A request larger than the budget is served alone.
 */
export class ByteBudget {
  private readonly waiters: Waiter[] = [];
  private readonly accounts = new Map<Owner, Account>();
  private taken = 0;
  private turn = 0;
  private closed = false;

  /** `capacity` in bytes. */
  constructor(private readonly capacity: number) {}

  /** Bytes held. Above the capacity only while a single holder has more than that. */
  get used(): number {
    return this.taken;
  }

  /** How many requests wait. */
  get waiting(): number {
    return this.waiters.length;
  }

  /**
   * Resolves with the hold, which the caller must release; null when the signal aborts, the timeout (ms of real time)
   * passes or the budget is closed first. Never rejects.
   */
  acquire(owner: Owner, bytes: number, { signal, timeout }: AcquireOptions = {}): Promise<ByteHold | null> {
    if (this.closed || signal?.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (hold: ByteHold | null): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(hold);
      };
      const waiter = this.enqueue(owner, bytes, settle);
      const giveUp = (): void => {
        this.take(this.waiters.indexOf(waiter));
        this.forgetIdle(owner);
        settle(null);
        // The next ones may have waited for it only to keep their order.
        this.serve();
      };
      this.serve();
      if (!this.waiters.includes(waiter)) return;
      signal?.addEventListener('abort', giveUp, { once: true });
      if (timeout !== undefined) timer = setTimeout(giveUp, timeout);
    });
  }

  /** A hold of zero bytes, to be grown. */
  open(owner: Owner): ByteHold {
    return this.holdOf(owner, 0);
  }

  /** Refuses all waiting and later requests. Holds remain until they are released. */
  close(): void {
    this.closed = true;
    for (const { settle } of this.waiters.splice(0)) settle(null);
  }

  private enqueue(owner: Owner, bytes: number, settle: Waiter['settle']): Waiter {
    const account = this.account(owner);
    const turn = Math.max(this.turn, account.turn);
    account.turn = turn + bytes;
    account.waiting += 1;
    const waiter = { owner, bytes, turn, patience: this.capacity, settle };
    const behind = this.waiters.findIndex((other) => other.turn > turn);
    this.waiters.splice(behind < 0 ? this.waiters.length : behind, 0, waiter);
    return waiter;
  }

  /** Serves every waiter that fits and may pass those before it. */
  private serve(): void {
    let patience = Infinity;
    /** Of the waiters that wait for the share of their owner. */
    const own = new Map<Owner, number>();
    for (let next = 0; next < this.waiters.length;) {
      const waiter = this.waiters[next]!;
      const { owner, bytes } = waiter;
      const isFree = this.isFree(bytes);
      const mayPass = bytes <= Math.min(patience, own.get(owner) ?? Infinity);
      if (mayPass && isFree && this.isInShare(owner, bytes)) {
        this.take(next);
        for (const passed of this.waiters.slice(0, next)) passed.patience -= bytes;
        patience -= bytes;
        if (own.has(owner)) own.set(owner, own.get(owner)! - bytes);
        this.turn = Math.max(this.turn, waiter.turn);
        waiter.settle(this.holdOf(owner, bytes));
        continue;
      }
      // A waiter that fits but for its owner's share holds up only what comes behind it of the same owner.
      if (!this.isInShare(owner, bytes)) own.set(owner, Math.min(own.get(owner) ?? Infinity, waiter.patience));
      else patience = Math.min(patience, waiter.patience);
      next += 1;
    }
  }

  private take(index: number): void {
    const [waiter] = this.waiters.splice(index, 1);
    this.account(waiter!.owner).waiting -= 1;
  }

  private isFree(bytes: number): boolean {
    return this.taken === 0 || this.taken + bytes <= this.capacity;
  }

  /** True for the first hold of an owner, and for one with which it has no more than is left for others. */
  private isInShare(owner: Owner, bytes: number): boolean {
    const { held, holds } = this.account(owner);
    return holds === 0 || held + bytes <= this.capacity - this.taken - bytes;
  }

  private account(owner: Owner): Account {
    let account = this.accounts.get(owner);
    if (!account) {
      account = { held: 0, holds: 0, waiting: 0, turn: 0 };
      this.accounts.set(owner, account);
    }
    return account;
  }

  private forgetIdle(owner: Owner): void {
    const { holds, waiting } = this.account(owner);
    if (holds === 0 && waiting === 0) this.accounts.delete(owner);
  }

  private holdOf(owner: Owner, bytes: number): ByteHold {
    let held = 0;
    let released = false;
    const add = (more: number): void => {
      const account = this.account(owner);
      if (held === 0 && more > 0) account.holds += 1;
      held += more;
      account.held += more;
      this.taken += more;
    };
    add(bytes);
    return {
      grow: (more) => {
        if (released) return false;
        const isAlone = this.taken === held;
        if (!isAlone && this.taken + more > this.capacity) return false;
        const isOnly = this.account(owner).held === held;
        if (!isOnly && !this.isInShare(owner, more)) return false;
        add(more);
        return true;
      },
      release: () => {
        if (released) return;
        released = true;
        const account = this.account(owner);
        account.held -= held;
        if (held > 0) account.holds -= 1;
        this.taken -= held;
        held = 0;
        this.forgetIdle(owner);
        this.serve();
      },
    };
  }
}
