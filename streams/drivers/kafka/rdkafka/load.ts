import { createRequire } from 'node:module';
import type * as NodeRdkafka from 'node-rdkafka';

export type Rdkafka = typeof NodeRdkafka;

/** An install by `npm ci` alone leaves node-rdkafka unbuilt. The message says what to do. */
export class NotBuiltError extends Error {}

/** node-rdkafka, loaded only on demand, since it brings native code. Throws NotBuiltError. */
export function loadRdkafka(): Rdkafka {
  try {
    return createRequire(__filename)('node-rdkafka') as Rdkafka;
  } catch (cause) {
    throw new NotBuiltError(
      'The cluster engine needs node-rdkafka, which is not built: run npm run native, with g++, make, python3 and libssl-dev. The Docker image has it.',
      { cause },
    );
  }
}
