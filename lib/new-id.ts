import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from './clock';

/** UUIDv7 from the clock's milliseconds: ids sort by time. */
export const makeNewId =
  (clock: Clock): (() => string) =>
  () =>
    uuidv7({ msecs: clock.now(), random: randomBytes(16) });
