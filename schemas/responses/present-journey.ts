import type { Journey } from '../../domain/journeys/journey';

/** An item of the list of journeys (docs/contract.md#list-of-journeys). */
export function presentJourney({ id, name, status, triggerType }: Journey): object {
  return { id, name, status, trigger_type: triggerType };
}
