import type { OwnRate } from '../queue/send-rate';
import type { Language } from './language';

/** `fail`: it fails, at most once. `resend`: it is sent again, at least once. */
export const UNCONFIRMED = ['fail', 'resend'] as const;
export type Unconfirmed = (typeof UNCONFIRMED)[number];

/** A workspace: the account of docs/contract.md#service. */
export interface Workspace {
  id: number;
  name: string;
  suspended: boolean;
  /** The Email Marketing module is active. */
  emailModule: boolean;
  businessName: string;
  businessAddress: string;
  /** Adds `svc_mid` to destinations (docs/contract.md#conversion-parameter). */
  trackConversions: boolean;
  /** Of its mails and pages, where a visitor's browser prefers none. */
  language: Language;
  /** Campaigns of an editor start only once an owner has approved them. */
  campaignApproval: boolean;
  /**
   * What becomes of a mail whose hand-off had no answer and no report (docs/architecture.md#the-fence-and-evidence).
   */
  unconfirmed: Unconfirmed;
  /** Send rates that operators gave it, oldest first; the last is in force. Empty: that of its kind of account. */
  rates: OwnRate[];
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
  /** The key itself, sealed (AES-256-GCM), since keys can be viewed again (docs/contract.md#api-keys). */
  sealed: string;
  revokedAt: number | null;
  createdAt: number;
  /** API requests per minute with this key; null: the default of the service. */
  ratePerMinute: number | null;
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
