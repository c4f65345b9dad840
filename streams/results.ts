/** The consumer's result for one record; the runner acts on it. A throw means a bug. */
export type Result = { kind: 'ok' } | { kind: 'drop'; reason: string } | { kind: 'dead'; reason: string };

export const ok: Result = { kind: 'ok' };
/** There is nothing to do, for a reason worth counting (a repeat, a lost race). */
export const drop = (reason: string): Result => ({ kind: 'drop', reason });
/** This record can never be handled. It is parked with the reason. */
export const dead = (reason: string): Result => ({ kind: 'dead', reason });
