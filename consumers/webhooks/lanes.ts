/** How many attempts may run at the same time in this process. */
export interface WebhookLimits {
  perEndpoint: number;
  perWorkspace: number;
  inAll: number;
}

/** The attempts that run now or are being claimed, by endpoint and by workspace. */
export class Lanes {
  private readonly byEndpoint = new Map<number, number>();
  private readonly byWorkspace = new Map<number, number>();
  private total = 0;

  constructor(private readonly limits: WebhookLimits) {}

  get isFull(): boolean {
    return this.total >= this.limits.inAll;
  }

  /** True until half of what an endpoint may do has ended, so that a claim takes several. */
  isBusy(webhookId: number): boolean {
    return this.runningFor(webhookId) > this.limits.perEndpoint / 2;
  }

  /** Takes places for as many attempts as the endpoint may start now; a `troubled` one is tried one at a time. */
  reserve(webhook: { id: number; workspaceId: number }, troubled: boolean): number {
    const { perEndpoint, perWorkspace, inAll } = this.limits;
    const most = troubled ? 1 : perEndpoint;
    if (this.isBusy(webhook.id)) return 0;
    const ofWorkspace = perWorkspace - (this.byWorkspace.get(webhook.workspaceId) ?? 0);
    const room = Math.max(0, Math.min(most - this.runningFor(webhook.id), ofWorkspace, inAll - this.total));
    this.change(webhook, room);
    return room;
  }

  /** Gives places back: of attempts that have ended, or that were not claimed. */
  release(webhook: { id: number; workspaceId: number }, count: number): void {
    this.change(webhook, -count);
  }

  private runningFor(webhookId: number): number {
    return this.byEndpoint.get(webhookId) ?? 0;
  }

  private change({ id, workspaceId }: { id: number; workspaceId: number }, by: number): void {
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
