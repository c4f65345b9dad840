import type { JourneyStepCount } from '../ports/journey-runs';

/** Puts together who stands at the steps and what was done at them, in the order of the steps. */
export function stepCounts(
  standing: readonly Pick<JourneyStepCount, 'step' | 'now'>[],
  done: readonly Omit<JourneyStepCount, 'now'>[],
): JourneyStepCount[] {
  const counts = new Map<number, JourneyStepCount>();
  const none = { now: 0, passed: 0, sent: 0, refused: 0 };
  for (const of of done) counts.set(of.step, { ...none, ...of });
  for (const { step, now } of standing) counts.set(step, { ...(counts.get(step) ?? { step, ...none }), now });
  return [...counts.values()].sort((a, b) => a.step - b.step);
}
