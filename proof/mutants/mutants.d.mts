/** See mutants.mjs. */
export declare const MUTANTS: readonly { name: string; about: string; file: string; device: string; broken: string }[];
