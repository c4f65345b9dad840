import type { Part } from '../core/part';
import type { StartContext } from './start-context';

/** The part that moves the clock, where it can be moved. It starts last, since every other part takes part in it. */
export function travelParts(starting: StartContext): Part[] {
  const { travel, parts } = starting.host.travel(starting.services, starting.roleParts);
  starting.travel = travel;
  return parts;
}
