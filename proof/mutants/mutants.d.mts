/** What a run must have for a mutant to be seen (proof/prove/hunts.ts). */
export type Need =
  'calm' | 'kills' | 'power' | 'hooks' | 'deferred' | 'relay' | 'campaigns' | 'crowd' | 'journeys' | 'forms' | 'sales';

/** See mutants.mjs. */
export declare const MUTANTS: readonly {
  name: string;
  about: string;
  needs?: readonly Need[];
  file: string;
  device: string;
  broken: string;
}[];
