import type { Difference } from './difference';

/** A field that an engine derives from other data for look-ups, and that does not match that data. */
export interface DerivedFault {
  /** A message id, or `workspace 3`. */
  subject: string;
  expected: string;
  found: string;
}

export const checkDerived = (fault: DerivedFault): Difference => ({ rule: 'derived-fields', ...fault });
