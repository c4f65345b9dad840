/** Items of several owners, taken in turn among those who have any, and in order for each. */
export class TurnQueue<T> {
  /** Few at a time, so a search is cheaper than a map that changes with every item. */
  private readonly lines: { owner: number; items: T[] }[] = [];

  push(owner: number, item: T): void {
    const line = this.lines.find((each) => each.owner === owner);
    if (line) line.items.push(item);
    else this.lines.push({ owner, items: [item] });
  }

  /** The next item; undefined when there is none. */
  shift(): T | undefined {
    const line = this.lines.shift();
    if (!line) return undefined;
    const item = line.items.shift();
    if (line.items.length > 0) this.lines.push(line);
    return item;
  }
}
