import type { Alarm, AlarmNotice, AlarmTurn } from '../alarms/alarm';
import type { DestinationState } from '../destinations/destination-state';
import type { PaceState } from '../destinations/pace';
import type { DomainReport } from '../domain-reports/domain-report';
import type { Warmup, WarmupState } from '../warmup/warmup-state';
import type { Role, WorkspaceRole } from './role';

/**
 * Who stands for it that an account is that of the address's owner. `operator`: a link that an operator made was used.
 * `mail`: a link that was only mailed was used. `provider`: an OpenID provider says that the address is verified.
 */
export type Voucher = 'operator' | 'mail' | 'provider';

/** Who may sign in. The id of the entry is the address, in its canonical spelling. */
export interface UserBody {
  name: string | null;
  /** Runs the installation: may do all. */
  operator: boolean;
  /** `scrypt$N$r$p$salt$hash`; null until one is chosen, and for people who sign in another way. */
  password: string | null;
  /**
   * The second factor; null while there is none. `last` is the last step that was used, so that no code works twice.
   */
  totp: { sealed: string; last: number } | null;
  /** Keyed hashes of the recovery codes that are left. */
  recovery: readonly string[];
  createdAt: number;
  disabledAt: number | null;
  /** Left out while nobody vouches for it. */
  trust?: { by: Voucher; at: number };
  /** Counts how often everything that lets the person in has ended (domain/people/account-trust.ts). */
  epoch?: number;
}

/** `<address> <workspace>`. */
export interface MembershipBody {
  role: WorkspaceRole;
  since: number;
}

/** The id is the SHA-256 of the token in the cookie. */
export interface SessionBody {
  createdAt: number;
  seenAt: number;
  /** How the person signed in. */
  by: 'password' | 'passkey' | 'oidc' | 'link';
  address: string;
  agent: string;
  /** That of the user when it began. */
  epoch?: number;
}

/** A link that works once. The id is the SHA-256 of its token. */
export interface TicketBody {
  purpose: 'invite' | 'reset' | 'first';
  createdAt: number;
  /** What an invited person gets; null for a reset. */
  grant: { operator: boolean; workspaceId: number | null; role: WorkspaceRole | null } | null;
  /** Who vouches for the person when it is used; left out for the link that somebody of a workspace was shown. */
  trust?: Exclude<Voucher, 'provider'>;
  /** Of a reset: the ids of the passkeys that it leaves. */
  keep?: readonly string[];
}

/**
 * A key of the management API, of the installation or of its workspace. The id is the keyed hash of its text.
 */
export interface AdminKeyBody {
  name: string;
  role: Role;
  createdAt: number;
  createdBy: string;
  lastUsedAt: number | null;
}

/** A credential of WebAuthn. The id is that of the credential, base64url. */
export interface PasskeyBody {
  name: string;
  publicKey: string;
  counter: number;
  transports: readonly string[];
  createdAt: number;
  lastUsedAt: number | null;
  /** That of the user when it was asked for. */
  epoch?: number;
}

/** An account at an OpenID provider, `<issuer> <subject>`. */
export interface IdentityBody {
  linkedAt: number;
}

/**
 * A challenge of WebAuthn or a sign-in at a provider that has begun. The id is the SHA-256 of the token in the cookie.
 */
export interface ChallengeBody {
  purpose: 'passkey' | 'register' | 'oidc' | 'totp' | 'second';
  /** What the second half is compared with. */
  data: Readonly<Record<string, string>>;
}

/** Failed sign-ins of an account or from an address. */
export interface AttemptsBody {
  failures: number;
  /** No further attempt before this time, ms. */
  until: number;
}

/** What is kept for the next version of a journey. The id is that of the journey. */
export interface JourneyDraftBody {
  /** The file (docs/journeys.md#the-file), which may have faults. */
  text: string;
  changedAt: number;
  changedBy: string;
  /** The version of the journey that it began from. */
  base: number;
}

/** What an import of contacts answers, as far as it is shown again. */
export interface ImportReport {
  /** The first refused lines. */
  errors?: readonly { line: number; reason: string }[];
  lines: number;
  created: number;
  existing: number;
  refused: number;
  still_subscribed?: number;
}

/** An import of contacts through the dashboard, and its report. */
export interface ImportBody {
  /** That of the file. */
  name: string;
  /** The audience that all join; null for none. */
  audience: string | null;
  /** Bytes of the file. */
  read: number;
  total: number;
  /** The line of the file that `read` is in, from 1. */
  line: number;
  /** When its process last said that it runs, real time in ms. */
  saidAt: number;
  /** Null while it runs. `broken`: a fault of the service. */
  ended:
    | null
    | 'broken'
    | { ok: true; json: ImportReport }
    | { ok: false; fault: { status: 403 | 404 | 422; message: string; field: string | null } };
}

/** Where the mail of a domain goes. The id is the domain. */
export interface MailRouteBody {
  /** The hosts of its MX records, the preferred first. */
  hosts: readonly string[];
}

/** Everything in the record store, by kind. */
export interface RecordBodies {
  user: UserBody;
  membership: MembershipBody;
  session: SessionBody;
  ticket: TicketBody;
  admin_key: AdminKeyBody;
  passkey: PasskeyBody;
  identity: IdentityBody;
  challenge: ChallengeBody;
  attempts: AttemptsBody;
  journey_draft: JourneyDraftBody;
  import: ImportBody;
  domain_report: DomainReport;
  mail_route: MailRouteBody;
  destination: DestinationState;
  destination_pace: PaceState;
  alarm: Alarm;
  /** The id is that of a source. */
  alarm_turn: AlarmTurn;
  alarm_notice: AlarmNotice;
  warmup: Warmup;
  /** One entry, whose version counts the changes of warm-ups. */
  warmup_change: Readonly<Record<string, never>>;
  warmup_state: WarmupState;
}
export type RecordKind = keyof RecordBodies;

/**
 * An entry of the record store: people, what lets them in, what they have begun to write, and what is known of domains.
 */
export interface RecordEntry<K extends RecordKind = RecordKind> {
  kind: K;
  /** Unique within its kind. */
  id: string;
  /** The address of the user it belongs to; null for none. */
  user: string | null;
  workspaceId: number | null;
  /** ms; it is gone from then on. Null: never. */
  expiresAt: number | null;
  /** Counts its changes, from 1. */
  version: number;
  body: RecordBodies[K];
}
