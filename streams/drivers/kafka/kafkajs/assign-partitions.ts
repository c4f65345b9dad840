/** A member of the group, and the partitions it holds. */
export interface Holder {
  id: string;
  owned: readonly number[];
  /** When two members claim a partition, the one of the later generation holds it. */
  generation: number;
}

/**
 * Assigns partitions as evenly as possible while each member keeps what it holds (KIP-429, cooperative sticky). A
 * partition that must move is given to no member yet: its holder sees the loss, finishes, releases it, and joins again.
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

/** The holder of each partition, ignoring claims of older generations. */
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

/**
 * Takes from members what exceeds their even share. The members that hold most keep the odd ones. Returns what was
 * taken.
 */
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
