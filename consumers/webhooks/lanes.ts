/** How many attempts may run at the same time in this process. */
export interface WebhookLimits {
  perEndpoint: number;
  perWorkspace: number;
  inAll: number;
}

/** The attempts that run now, by endpoint and by workspace. */
export class Lanes {
  private readonly byEndpoint = new Map<number, number>();
  private readonly byWorkspace = new Map<number, number>();
  private total = 0;

  constructor(private readonly limits: WebhookLimits) {}

  get running(): number {
    return this.total;
  }

  get isFull(): boolean {
    return this.total >= this.limits.inAll;
  }

  runningFor(webhookId: number): number {
    return this.byEndpoint.get(webhookId) ?? 0;
  }

  /**
   * How many attempts an endpoint may start now; a `troubled` one is tried one at a time. Only once half of what it may
   * do has ended, so that a claim takes several.
   */
  room({ id, workspaceId }: { id: number; workspaceId: number }, troubled: boolean): number {
    const { perEndpoint, perWorkspace, inAll } = this.limits;
    const most = troubled ? 1 : perEndpoint;
    const running = this.runningFor(id);
    if (running > most / 2) return 0;
    const ofWorkspace = perWorkspace - (this.byWorkspace.get(workspaceId) ?? 0);
    return Math.max(0, Math.min(most - running, ofWorkspace, inAll - this.total));
  }

  begin(webhook: { id: number; workspaceId: number }): void {
    this.change(webhook, 1);
  }

  end(webhook: { id: number; workspaceId: number }): void {
    this.change(webhook, -1);
  }

  private change({ id, workspaceId }: { id: number; workspaceId: number }, by: 1 | -1): void {
    this.total += by;
    add(this.byEndpoint, id, by);
    add(this.byWorkspace, workspaceId, by);
  }
}

function add(counts: Map<number, number>, key: number, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
