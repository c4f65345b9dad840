import { createRequire } from 'node:module';

export type Rdkafka = typeof import('node-rdkafka');

/** node-rdkafka; null where it is not built. Loaded only when it is asked for, since it brings native code. */
export function loadRdkafka(): Rdkafka | null {
  try {
    return createRequire(__filename)('node-rdkafka') as Rdkafka;
  } catch {
    return null;
  }
}
