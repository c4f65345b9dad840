import { Readable } from 'node:stream';
import type { Access } from '../../domain/people/access';
import type { Services } from '../../app/services';
import { runningOperator } from '../../app/operator/running-operator';
import { findOperation } from '../../operations/catalogue';
import { faultOf, givenOf, View, type Fault, type Input } from '../../operations/spec';
import type { Done } from './screen';

/** Refuses a request for a page: what it asks for is not there, or not allowed. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

/** Work without a bar that anybody looks at. */
const NO_PROGRESS = { step: () => undefined, to: () => undefined, done: () => undefined };
const VIEW = new View((_tone, text) => text);

/**
 * Does an operation of this name in the running service, with the access of `actor`. Throws what no operation refuses.
 */
export async function performFor(
  services: Services,
  { actor, access }: { actor: string; access: Access },
  name: string,
  input: Input,
): Promise<Done> {
  const operation = await findOperation(name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  try {
    const work = operation.read(givenOf(operation, input));
    const { json } = await work({
      ...runningOperator(services, actor),
      view: VIEW,
      access,
      stdin: Readable.from([]),
      progress: () => NO_PROGRESS,
    });
    return { ok: true, json: json as Readonly<Record<string, unknown>> };
  } catch (error) {
    const fault = faultOf(error);
    if (!fault) throw error;
    return { ok: false, fault };
  }
}
