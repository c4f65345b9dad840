import type { Services } from '../../operations/services';
import { findOperation } from '../../operations/catalogue';
import { performFor, type Done as DoneOf, type Performer } from '../../operations/perform';
import type { Fault, Input } from '../../operations/definition';

/** Refuses a request for a page: what it asks for is not there, or not allowed. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

/** What an operation that is called by its name answers. */
export type Done = DoneOf<Readonly<Record<string, unknown>>>;

/** Does the operation of this name for a screen. Throws what no operation refuses. */
export async function performNamed(services: Services, by: Performer, name: string, input: Input): Promise<Done> {
  const operation = await findOperation(name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  const done = await performFor(services, by, operation, input);
  return done.ok ? { ok: true, json: { ...done.json } } : done;
}
