const PENALTY = 'penalty:';

/** The times of the penalties of one address and reason. */
export type PenaltyGroup = [key: string, times: number[]];

/** Puts penalties of forced sends together by address and reason; they come in the order of their ids, page by page. */
export class PenaltyGroups {
  private open: PenaltyGroup[] = [];

  /** Groups that no later page adds to. */
  add(page: readonly { id: string; at: number }[]): PenaltyGroup[] {
    const groups = new Map(this.open);
    for (const { id, at } of page) {
      const key = id.slice(PENALTY.length, id.lastIndexOf(':'));
      const times = groups.get(key);
      if (times) times.push(at);
      else groups.set(key, [at]);
    }
    const closed = [...groups];
    // The last one may go on in the next page.
    this.open = closed.splice(-1);
    return closed;
  }

  /** What is left when there are no more pages. */
  end(): PenaltyGroup[] {
    return this.open.splice(0);
  }
}
