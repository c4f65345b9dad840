import type { Journey } from '../../domain/journey';

/** An item of the list of journeys (spec section 2). */
export function presentJourney({ id, name, status, triggerType }: Journey): object {
  return { id, name, status, trigger_type: triggerType };
}
