import type { MailFault, SubmittedMail } from './submitted-mail';

/** A mail for the thread, as bytes that were transferred to it. */
export interface MailJob {
  bytes: Uint8Array;
}

/** What `readMail` answered. */
export interface MailResult {
  read: SubmittedMail | MailFault;
}
