import { createRequire } from 'node:module';
import type * as NodeRdkafka from 'node-rdkafka';

export type Rdkafka = typeof NodeRdkafka;

/** node-rdkafka; null where it is not built. Loaded only when it is asked for, since it brings native code. */
export function loadRdkafka(): Rdkafka | null {
  try {
    return createRequire(__filename)('node-rdkafka') as Rdkafka;
  } catch {
    return null;
  }
}
