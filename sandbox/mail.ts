import type { Recipient, ReportKind } from './behaviour';

/** A mail as it arrived. */
export interface ArrivedMail {
  receivedAt: number;
  /** Empty for the null sender. */
  mailFrom: string;
  recipients: readonly Recipient[];
  envid: string | null;
  /** RET, FULL or HDRS; null when absent. */
  ret: string | null;
  source: Buffer;
}

/** owed: not sent yet. sent: the listener accepted it. refused: the listener will never accept it. */
type ReportState = 'owed' | 'sent' | 'refused';

export interface ReportSummary {
  kind: ReportKind;
  recipient: string;
  state: ReportState;
  tries: number;
  /** When it is tried next, or was finished, ms; null while it waits for the previous report. */
  at: number | null;
  /** The last answer or error, null before the first try. */
  reply: string | null;
}

export interface MailSummary {
  id: number;
  receivedAt: number;
  /** The header X-Message-id. */
  messageId: string | null;
  envid: string | null;
  mailFrom: string;
  recipients: readonly Recipient[];
  from: string;
  subject: string;
  size: number;
  /** How often this message was received: the mails with the same X-Message-id or, without one, ENVID. */
  copies: number;
  reports: ReportSummary[];
}

export interface StoredMail extends MailSummary {
  /** The exact bytes between DATA and the final dot. */
  source: Buffer;
}
