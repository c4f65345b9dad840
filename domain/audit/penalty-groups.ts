const PENALTY = 'penalty:';

/** The times of the penalties for one address and reason. */
export type PenaltyGroup = [key: string, times: number[]];

/** Groups penalties for forced sends by address and reason; they arrive in id order, page by page. */
export class PenaltyGroups {
  private open: PenaltyGroup[] = [];

  /** The address and reason in the id of a penalty. */
  static keyOf(id: string): string {
    return id.slice(PENALTY.length, id.lastIndexOf(':'));
  }

  /** Returns the groups that are complete. */
  add(page: readonly { id: string; at: number }[]): PenaltyGroup[] {
    const groups = new Map(this.open);
    for (const { id, at } of page) {
      const key = PenaltyGroups.keyOf(id);
      const times = groups.get(key);
      if (times) times.push(at);
      else groups.set(key, [at]);
    }
    const closed = [...groups];
    // The last one may continue in the next page.
    this.open = closed.splice(-1);
    return closed;
  }

  /** Returns the remaining groups after the last page. */
  end(): PenaltyGroup[] {
    return this.open.splice(0);
  }
}
