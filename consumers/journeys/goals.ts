import { GOAL_WAIT, GOAL_WORK } from '../../domain/journeys/enrollment';
import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { ConversionRecord, EventRecord } from '../../streams/record-values';
import { drop, ok, type Result } from '../../streams/results';
import { notInStore } from '../not-in-store';
import { done, type EachTask } from '../due-work/due-work';

export interface GoalDeps {
  stores: Pick<Stores, 'messages' | 'signals' | 'journeys' | 'journeyRuns' | 'dueTasks' | 'conversions'>;
  clock: Clock;
}

/**
 * Takes an open or a click of a journey's mail as a goal (docs/contract.md#goals-of-a-journey). What follows may still
 * show that a machine did it, so due work looks at it some seconds later.
 */
export async function takeEvent(
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
export async function takeSale(
  { stores: { conversions, journeyRuns }, clock }: GoalDeps,
  { kind, id, workspaceId, contactId, occurredAt: at }: ConversionRecord,
): Promise<Result> {
  if (kind !== 'linked' || contactId === null) return drop('no linked sale of a contact');
  if ((await conversions.get(id))?.workspaceId !== workspaceId) return drop('the sale is gone');
  const hit = { workspaceId, journeyId: null, contactId, event: 'conversion' as const, at, now: clock.now() };
  return (await journeyRuns.reachGoal(hit)) ? ok : drop('no goal of sales');
}

/** Reaches the goal by an open or a click, unless a machine did it by now. */
export const goalWork = ({
  stores: { signals, messages, journeyRuns },
  clock,
}: GoalDeps): EachTask<'journey-goal'> => ({
  each: async ({ id, workspaceId, payload: { messageId } }) => {
    const signal = (await signals.ofMessage(messageId)).find((one) => one.id === id);
    const message = signal?.machine === null && signal.kind !== 'unsubscribe' && (await messages.get(messageId));
    if (message && message.journeyId !== null && signal.kind !== 'unsubscribe') {
      const { journeyId, contactId } = message;
      const { kind: event, at } = signal;
      await journeyRuns.reachGoal({ workspaceId, journeyId, contactId, event, at, now: clock.now() });
    }
    return done;
  },
});
