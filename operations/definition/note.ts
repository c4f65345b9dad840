import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';

/** Writes to the operator's audit trail; durable once it resolves. Comes before the action it records. */
export type Note = (action: string, target: string, workspaceId: number | null) => Promise<void>;

/** How `actor`, the id of a person or the name of a program, writes to the trail. */
export const noteOf =
  ({ operatorLog }: Pick<Stores, 'operatorLog'>, clock: Pick<Clock, 'now'>, actor: string): Note =>
  (action, target, workspaceId) =>
    operatorLog.append({ at: clock.now(), actor, action, target, workspaceId });
