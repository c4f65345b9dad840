import { UnavailableError } from '../../../lib/errors';
import type { Attempt } from './contention';
import { Grouped, type GroupedOptions } from './grouped';

/** A `Grouped` for each key, kept only while callers wait for it. */
export class GroupedBy<K, I, O> {
  private readonly groups = new Map<K, Grouped<I, O>>();
  private closed = false;

  constructor(
    private readonly commit: (key: K, items: readonly I[], how: Attempt) => Promise<readonly O[]>,
    private readonly options: GroupedOptions<I>,
  ) {}

  /** Resolves with the item's value once it is durable. */
  async submit(key: K, item: I): Promise<O> {
    if (this.closed) throw new UnavailableError('The store is closed.');
    const group = this.groupOf(key);
    try {
      return await group.submit(item);
    } finally {
      if (!group.busy && this.groups.get(key) === group) this.groups.delete(key);
    }
  }

  /** Refuses new items. Resolves when all waiting callers have their answer. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.groups.values()].map((group) => group.close()));
  }

  private groupOf(key: K): Grouped<I, O> {
    let group = this.groups.get(key);
    if (!group) {
      group = new Grouped((items, how) => this.commit(key, items, how), this.options);
      this.groups.set(key, group);
    }
    return group;
  }
}
