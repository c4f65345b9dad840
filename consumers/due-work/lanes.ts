/** How many attempts may run at the same time in this process. */
export interface LaneLimits {
  perEndpoint: number;
  perWorkspace: number;
  inAll: number;
}

/** Whose lane it is. */
export interface Endpoint {
  /** Its kind of due work, and its lane. */
  key: string;
  workspaceId: number;
}

/**
 * The attempts that run now or are being claimed, by endpoint and by workspace, of all kinds of due work that share it.
 */
export class Lanes {
  private readonly byEndpoint = new Map<string, number>();
  private readonly byWorkspace = new Map<number, number>();
  private total = 0;
  private readonly onRoom = new Set<() => void>();
  private isShort = false;

  constructor(private readonly limits: LaneLimits) {}

  get isFull(): boolean {
    if (this.total >= this.limits.inAll) this.isShort = true;
    return this.total >= this.limits.inAll;
  }

  /** Calls this when there is room again for what was refused it. */
  whenRoom(listener: () => void): void {
    this.onRoom.add(listener);
  }

  /** True until half of what an endpoint may do has ended, so that a claim takes several. */
  isBusy(endpoint: string): boolean {
    return this.runningFor(endpoint) > this.limits.perEndpoint / 2;
  }

  /** Takes slots for as many attempts as the endpoint may start now; a `troubled` one is tried one at a time. */
  reserve(endpoint: Endpoint, troubled: boolean): number {
    const { perEndpoint, perWorkspace, inAll } = this.limits;
    const most = troubled ? 1 : perEndpoint;
    if (this.isBusy(endpoint.key)) return 0;
    const shared = Math.min(perWorkspace - (this.byWorkspace.get(endpoint.workspaceId) ?? 0), inAll - this.total);
    if (shared <= 0) this.isShort = true;
    const room = Math.max(0, Math.min(most - this.runningFor(endpoint.key), shared));
    this.change(endpoint, room);
    return room;
  }

  /** Gives slots back: of attempts that have ended, or that were not claimed. */
  release(endpoint: Endpoint, count: number): void {
    this.change(endpoint, -count);
    if (!this.isShort || count === 0) return;
    this.isShort = false;
    for (const listener of this.onRoom) listener();
  }

  private runningFor(endpoint: string): number {
    return this.byEndpoint.get(endpoint) ?? 0;
  }

  private change({ key, workspaceId }: Endpoint, by: number): void {
    this.total += by;
    add(this.byEndpoint, key, by);
    add(this.byWorkspace, workspaceId, by);
  }
}

function add<K>(counts: Map<K, number>, key: K, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
