/** Workspaces in the order in which they have their turn. Each step costs the same, however many there are. */
export class ReadySet {
  private readonly ids = new Set<number>();
  /** Goes on behind what it has shown: a new iteration would step over everything that was deleted since. */
  private cursor = this.ids.values();

  get size(): number {
    return this.ids.size;
  }

  has(id: number): boolean {
    return this.ids.has(id);
  }

  add(id: number): void {
    this.ids.add(id);
  }

  delete(id: number): boolean {
    return this.ids.delete(id);
  }

  keys(): number[] {
    return [...this.ids];
  }

  /** The next one that may have its turn; undefined when none may. */
  next(may: (id: number) => boolean): number | undefined {
    for (const cursor of [this.cursor, this.ids.values()]) {
      this.cursor = cursor;
      for (let step = cursor.next(); !step.done; step = cursor.next()) if (may(step.value)) return step.value;
    }
    return undefined;
  }
}
