import type { KeyObject } from 'node:crypto';

/** What is asked of the signing thread in one turn of the caller's event loop. */
export interface Jobs {
  /** Keys it has not seen, by the number under which the jobs name them. */
  keys: (readonly [number: number, key: KeyObject])[];
  /** Numbers of keys that no job names any more. */
  forget: number[];
  jobs: (readonly [id: number, key: number, data: string])[];
}

/** Signatures in base64, or why there is none. */
export type Signed = (readonly [id: number, signature: string | null, error: string | null])[];
