import { Readable } from 'node:stream';
import type { Access } from '../domain/people/access';
import type { Language } from '../lib/reason';
import type { Services } from './services';
import { runningOperator } from './running-operator';
import { admitFirst, faultOf, givenOf, type Session, View, type Fault, type Input, type Operation } from './definition';

/** How an operation ended: what it answers to programs, or why it was refused. */
export type Done<J extends object = object> = { ok: true; json: J } | { ok: false; fault: Fault };

/** Whoever calls: their name in the trail, and what they may see and do. */
export interface Performer {
  actor: string;
  access: Access;
  /** The language that they are told of a refusal in; default: English. */
  language?: Language;
  /** Shows how far long work is. */
  progress?: Session['progress'];
  ask?: Session['ask'];
}

/** Work without a bar that anybody looks at. */
const NO_PROGRESS = { step: () => undefined, to: () => undefined, done: () => undefined };
const VIEW = new View((_tone, text) => text);

/** Does an operation in the running service, in the name of the caller. Throws what no operation refuses. */
export async function performFor<J extends object>(
  services: Services,
  { actor, access, language = 'en', ask, progress = () => NO_PROGRESS }: Performer,
  operation: Operation<never, J>,
  input: Input,
): Promise<Done<J>> {
  try {
    await admitFirst(operation, input, { stores: services.engine.stores, access });
    const work = operation.read(givenOf(operation, input));
    const { json } = await work({
      ...runningOperator(services, actor),
      view: VIEW,
      access,
      ask,
      stdin: Readable.from([]),
      progress,
    });
    return { ok: true, json };
  } catch (error) {
    const fault = faultOf(error, language);
    if (!fault) throw error;
    return { ok: false, fault };
  }
}
