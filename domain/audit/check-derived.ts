import type { Difference } from './difference';

/** A field that an engine keeps beside the data it follows from, to find things by, and that does not say what they say. */
export interface DerivedFault {
  /** A message id, or `workspace 3`. */
  subject: string;
  expected: string;
  found: string;
}

export const checkDerived = (fault: DerivedFault): Difference => ({ rule: 'derived-fields', ...fault });
