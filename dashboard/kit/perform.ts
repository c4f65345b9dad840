import type { Done } from '../../operations/perform';
import type { Fault } from '../../operations/definition';

/** Refuses a request for a page: what it asks for is not there, or not allowed. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

/** What was answered. Throws Refused when it was refused. */
export function answered<J extends object>(done: Done<J>): J {
  if (done.ok) return done.json;
  throw new Refused(done.fault);
}
