import type { ApiKey, SmtpLogin } from '../../domain/settings/workspace';

/** API keys and SMTP logins. Once `revokeKey` has resolved, every read that starts later shows the key as revoked. */
export interface CredentialStore {
  createKey(key: Omit<ApiKey, 'id'>): Promise<ApiKey>;
  /** Also finds revoked keys. Null if no key has this hash. */
  findKey(hash: string): Promise<ApiKey | null>;
  listKeys(workspaceId: number): Promise<ApiKey[]>;
  /** False if the workspace has no such key, or it was already revoked. */
  revokeKey(workspaceId: number, id: number, at: number): Promise<boolean>;
  /** Rejects with DuplicateError if the username is taken. */
  createLogin(login: Omit<SmtpLogin, 'id'>): Promise<SmtpLogin>;
  findLogin(username: string): Promise<SmtpLogin | null>;
  /**
   * Replaces the password (docs/contract.md#smtp-logins). Every read that starts after it has resolved sees the new
   * one. Null if there is no such login.
   */
  setPassword(username: string, password: Pick<SmtpLogin, 'hash' | 'sealed'>): Promise<SmtpLogin | null>;
  listLogins(workspaceId: number): Promise<SmtpLogin[]>;
  /**
   * Writes down that the login was right from a network (a keyed hash) at a time, ms. The latest `KNOWN_NETWORKS` of a
   * login are kept, and none that was seen `KNOWN_FOR` before `at`. A time never goes back.
   */
  rememberNetwork(username: string, network: string, at: number): Promise<void>;
  /** The time of the last right login from the network that was written down, ms. Null if there is none. */
  networkSeenAt(username: string, network: string): Promise<number | null>;
}
