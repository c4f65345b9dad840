import type { ApiKey, SmtpLogin } from '../../domain/workspace';

/** API keys and SMTP logins. A revoked key is refused by every read that begins after `revokeKey` resolved. */
export interface CredentialStore {
  createKey(key: Omit<ApiKey, 'id'>): Promise<ApiKey>;
  /** Also finds revoked keys; null when there is none with this hash. */
  findKey(hash: string): Promise<ApiKey | null>;
  listKeys(workspaceId: number): Promise<ApiKey[]>;
  /** False when the workspace has no such key, or it was revoked before. */
  revokeKey(workspaceId: number, id: number, at: number): Promise<boolean>;
  /** Rejects with DuplicateError when the username is taken. */
  createLogin(login: Omit<SmtpLogin, 'id'>): Promise<SmtpLogin>;
  findLogin(username: string): Promise<SmtpLogin | null>;
  /**
   * Replaces the password (docs/contract.md#smtp-logins); every read that begins after it resolved sees the new one.
   * Null: no such login.
   */
  setPassword(username: string, password: Pick<SmtpLogin, 'hash' | 'sealed'>): Promise<SmtpLogin | null>;
  listLogins(workspaceId: number): Promise<SmtpLogin[]>;
}
