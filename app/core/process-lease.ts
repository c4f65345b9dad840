import { randomBytes } from 'node:crypto';

/** The lease of this process: its fence tokens begin with its name, so others can tell which hand-offs are over. */
export interface ProcessLease {
  /** Name of this process in the leases of shards. */
  owner: string;
  /** Unique, not secret. */
  newToken(): string;
  /**
   * False if other processes may have considered this one dead since the token was made
   * (docs/decisions/0023-a-frozen-process-sends-nothing.md).
   */
  isLeaseValid(token: string): boolean;
}

/** Makes a random name for a process lease. */
export const newLeaseName = (): string => randomBytes(12).toString('base64url');

/** Makes the tokens of a lease: its name and a counter, since random bytes for each would cost a system call. */
export function tokensOf(name: string): () => string {
  let count = 0;
  return () => `${name}.${(count += 1)}`;
}

/** The lease of a process that works alone on its data: no other process could consider it dead. */
export const soleProcessLease = (owner: string): ProcessLease => ({
  owner,
  newToken: tokensOf(newLeaseName()),
  isLeaseValid: () => true,
});
