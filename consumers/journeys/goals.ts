import { GOAL_WAIT, GOAL_WORK } from '../../domain/journeys/enrollment';
import { SECOND, type Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { ConversionRecord, EventRecord } from '../../streams/record-values';
import { drop, ok, type Result } from '../../streams/results';
import type { Consumer } from '../consumer';
import { notInStore } from '../not-in-store';
import type { DueWork } from '../timers/tasks/due-work';

export interface GoalDeps {
  stores: Pick<Stores, 'messages' | 'signals' | 'journeys' | 'journeyRuns' | 'dueTasks' | 'conversions'>;
  clock: Clock;
}

/** Enough to share commits. */
const CONCURRENCY = 64;

/**
 * Takes opens and clicks of journeys' mails, and linked sales, as goals (docs/contract.md#goals-of-a-journey). What follows
 * an open or a click may still show that a machine did it, so due work looks at it some seconds later.
 */
export function createGoalsConsumer(deps: GoalDeps): Consumer<'journeys'> {
  return {
    group: 'journeys',
    concurrency: CONCURRENCY,
    handle: async ({ value }) => ('event' in value ? takeEvent(deps.stores, value) : takeSale(deps, value)),
  };
}

async function takeEvent(
  { messages, journeys, dueTasks }: GoalDeps['stores'],
  { event, messageId, workspaceId, occurredAt, key }: EventRecord,
): Promise<Result> {
  if ((event !== 'open' && event !== 'click') || key === undefined) return drop('no open or click');
  const message = await messages.get(messageId);
  if (message?.workspaceId !== workspaceId) return notInStore;
  const { journeyId, journeyVersion } = message;
  if (journeyId === null || journeyVersion === null) return drop('no mail of a journey');
  const version = await journeys.version(workspaceId, journeyId, journeyVersion);
  if (!version?.goal || version.goal.event === 'conversion') return drop('no goal of opens or clicks');
  const dueAt = occurredAt + GOAL_WAIT;
  await dueTasks.schedule([{ kind: GOAL_WORK, id: key, workspaceId, lane: '', dueAt, payload: { messageId } }]);
  return ok;
}

/** Reaches the goal `conversion` in every journey that the contact entered before the sale. */
async function takeSale(
  { stores: { conversions, journeyRuns }, clock }: GoalDeps,
  { kind, id, workspaceId, contactId, occurredAt: at }: ConversionRecord,
): Promise<Result> {
  if (kind !== 'linked' || contactId === null) return drop('no linked sale of a contact');
  if ((await conversions.get(id))?.workspaceId !== workspaceId) return drop('the sale is gone');
  const hit = { workspaceId, journeyId: null, contactId, event: 'conversion' as const, at, now: clock.now() };
  return (await journeyRuns.reachGoal(hit)) ? ok : drop('no goal of sales');
}

/** Reaches the goal by an open or a click, unless a machine did it by now. */
export const goalWork = ({ stores: { signals, messages, journeyRuns }, clock }: GoalDeps): DueWork => ({
  kind: GOAL_WORK,
  lease: 30 * SECOND,
  atOnce: 64,
  handle: async ({ id, workspaceId, payload }) => {
    const messageId = String(payload['messageId']);
    const signal = (await signals.ofMessage(messageId)).find((one) => one.id === id);
    const message = signal?.machine === null && signal.kind !== 'unsubscribe' && (await messages.get(messageId));
    if (message && message.journeyId !== null && signal.kind !== 'unsubscribe') {
      const { journeyId, contactId } = message;
      const { kind: event, at } = signal;
      await journeyRuns.reachGoal({ workspaceId, journeyId, contactId, event, at, now: clock.now() });
    }
    return { kind: 'done' };
  },
});
