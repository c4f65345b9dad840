import { UnavailableError } from '../../lib/errors';

/** Wake-ups that wait for longer than this are old, ms of real time. */
const OLD = 1_000;

interface Waker {
  settle: () => void;
  refuse: (error: UnavailableError) => void;
}

/** The callers that have woken workspaces and wait until these need the wake-up no longer. */
export class PendingWakeups {
  /** By workspace, with the time of the first; the oldest first. */
  private readonly waiting = new Map<number, { since: number; wakers: Waker[] }>();

  /** Resolves once settled; rejects with UnavailableError once refused. */
  wait(workspaceId: number): Promise<void> {
    return new Promise((settle, refuse) => {
      const known = this.waiting.get(workspaceId);
      if (known) known.wakers.push({ settle, refuse });
      else this.waiting.set(workspaceId, { since: performance.now(), wakers: [{ settle, refuse }] });
    });
  }

  /** Ends the waits of a workspace as of now; each result settles one. */
  take(workspaceId: number): (() => void)[] {
    const known = this.waiting.get(workspaceId);
    this.waiting.delete(workspaceId);
    return known?.wakers.map(({ settle }) => settle) ?? [];
  }

  refuse(which: (workspaceId: number) => boolean, message: string): void {
    for (const [workspaceId, { wakers }] of this.waiting) {
      if (!which(workspaceId)) continue;
      this.waiting.delete(workspaceId);
      for (const { refuse } of wakers) refuse(new UnavailableError(message));
    }
  }

  /** Workspaces that have waited for long. */
  old(): number[] {
    const old: number[] = [];
    const before = performance.now() - OLD;
    for (const [workspaceId, { since }] of this.waiting) {
      if (since > before) break;
      old.push(workspaceId);
    }
    return old;
  }
}
