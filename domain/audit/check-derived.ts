import type { Difference } from './difference';

/** A field that an engine derives from other data for look-ups, and that does not match that data. */
export interface DerivedFault {
  /** A message id, or `workspace 3`. */
  subject: string;
  expected: string;
  found: string;
}

export const checkDerived = (fault: DerivedFault): Difference => ({ rule: 'derived-fields', ...fault });

/** The most characters of a value shown: damaged data may hold anything. */
const LONGEST = 60;

/** A value as it is stored; `none` for one that is left out. */
export const showValue = (value: unknown): string =>
  value === undefined ? 'none' : (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST);
