import { randomBytes } from 'node:crypto';

/** The life of this process: the name that its fence tokens begin with, by which others can tell whose hand-offs are over. */
export interface ProcessLease {
  /** Name of this process in the leases of shards. */
  owner: string;
  /** Unique, not secret. */
  newToken(): string;
  /**
   * False once others may have thought this process dead since the token was made
   * (docs/decisions/0023-a-frozen-process-hands-nothing-over.md).
   */
  isLeaseValid(token: string): boolean;
}

/** A random name for a life. */
export const newLeaseName = (): string => randomBytes(12).toString('base64url');

/** The tokens of a life: its name and a count, since random bytes for each cost a system call. */
export function tokensOf(name: string): () => string {
  let count = 0;
  return () => `${name}.${(count += 1)}`;
}

/** The life of a process that is alone with its data: nobody else could think it dead. */
export const soleProcessLease = (owner: string): ProcessLease => ({
  owner,
  newToken: tokensOf(newLeaseName()),
  isLeaseValid: () => true,
});
