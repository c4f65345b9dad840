/** A workspace: the account of the spec, section 1. */
export interface Workspace {
  id: number;
  name: string;
  suspended: boolean;
  /** The Email Marketing module. */
  emailModule: boolean;
  businessName: string;
  businessAddress: string;
  /** Adds `svc_mid` to destinations (spec, POST /messages). */
  trackConversions: boolean;
  createdAt: number;
}

export const SCOPES = ['send_email', 'manage_contacts', 'manage_webhooks'] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  id: number;
  workspaceId: number;
  name: string;
  scopes: Scope[];
  /** HMAC-SHA256 of the key under the pepper, hex. */
  hash: string;
  /** The key itself, sealed (AES-256-GCM); keys can be viewed again (spec section 5). */
  sealed: string;
  revokedAt: number | null;
  createdAt: number;
}

export interface SmtpLogin {
  id: number;
  workspaceId: number;
  /** `kur` + 6 digits. */
  username: string;
  /** HMAC-SHA256 of the password under the pepper, hex. */
  hash: string;
  sealed: string;
  createdAt: number;
}
