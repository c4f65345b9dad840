import type { Part } from '../parts/part';
import type { Starting } from '../starting';

/** What moves the clock, where it can be moved: started last, since every other part takes part in it. */
export function travelParts(starting: Starting): Part[] {
  const { travel, parts } = starting.host.travel(starting.services, starting.roleParts);
  starting.travel = travel;
  return parts;
}
