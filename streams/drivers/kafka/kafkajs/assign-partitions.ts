/** A member of the group with the partitions it holds. */
export interface Holder {
  id: string;
  owned: readonly number[];
  /** Of two that claim a partition the one of the later generation holds it. */
  generation: number;
}

/**
 * Shares out partitions as evenly as can be while each member keeps what it holds (KIP-429, cooperative sticky). A partition that
 * is to move is given to nobody yet: its holder sees that it lost it, finishes, lets go, and joins once more.
 */
export function assignPartitions(members: readonly Holder[], partitions: readonly number[]): Map<string, number[]> {
  const holders = holdersOf(members, partitions);
  const shares = new Map(members.map(({ id }) => [id, [] as number[]]));
  for (const [partition, id] of holders) shares.get(id)?.push(partition);
  const free = partitions.filter((partition) => !holders.has(partition));
  free.push(...trimShares(shares, partitions.length));
  for (const partition of free) {
    const least = [...shares].reduce((one, other) => (other[1].length < one[1].length ? other : one));
    least[1].push(partition);
  }
  for (const [id, share] of shares) {
    const settled = share.filter((partition) => (holders.get(partition) ?? id) === id);
    shares.set(
      id,
      settled.sort((one, other) => one - other),
    );
  }
  return shares;
}

/** Who holds which partition, claims of older generations left out. */
function holdersOf(members: readonly Holder[], partitions: readonly number[]): Map<number, string> {
  const holders = new Map<number, Holder>();
  for (const member of members) {
    for (const partition of member.owned) {
      const other = holders.get(partition);
      if (partitions.includes(partition) && (!other || other.generation < member.generation)) {
        holders.set(partition, member);
      }
    }
  }
  return new Map([...holders].map(([partition, { id }]) => [partition, id]));
}

/** Takes from members what is above their even share; those that hold most keep the odd ones. Answers what was taken. */
function trimShares(shares: ReadonlyMap<string, number[]>, count: number): number[] {
  const even = Math.floor(count / shares.size);
  let odd = count % shares.size;
  const taken: number[] = [];
  const byLoad = [...shares.values()].sort((one, other) => other.length - one.length);
  for (const share of byLoad) {
    const keep = share.length > even && odd > 0 ? even + 1 : even;
    if (keep > even) odd -= 1;
    taken.push(...share.splice(keep));
  }
  return taken;
}
