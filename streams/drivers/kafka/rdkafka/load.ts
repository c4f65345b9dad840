import { createRequire } from 'node:module';
import type * as NodeRdkafka from 'node-rdkafka';

export type Rdkafka = typeof NodeRdkafka;

/** node-rdkafka; null when it is not built. Loaded only on demand, since it brings native code. */
export function loadRdkafka(): Rdkafka | null {
  try {
    return createRequire(__filename)('node-rdkafka') as Rdkafka;
  } catch {
    return null;
  }
}
