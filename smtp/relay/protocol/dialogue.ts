import type { Envelope, Peer, Reply, SubmissionPolicy, Transaction } from './policy';

/** What a connection has agreed on so far. */
export interface Dialogue<L> {
  readonly peer: Peer;
  /** Under TLS. */
  readonly secure: boolean;
  /** EHLO or HELO was answered. */
  greeted: boolean;
  login: { value: L } | null;
  /** The mail that MAIL began. */
  mail: { sender: Envelope; recipients: string[] } | null;
  /** Takes the next line of an AUTH exchange. */
  exchange: ((line: string) => Outcome<L>) | null;
  loginFailures: number;
  /** Recipients refused for good since the last mail that was taken. */
  refusedRecipients: number;
}

/** What a command leads to: a reply and perhaps what comes behind it, or a question to the policy. */
export type Outcome<L> =
  { reply: Reply; then?: 'close' | 'startTls' | 'data' } | { ask: (policy: SubmissionPolicy<L>) => Promise<Reply> };

/** The mail so far, for the policy; null outside a mail. */
export function transactionOf<L>({ login, peer, mail }: Dialogue<L>): Transaction<L> | null {
  return login && mail && { login: login.value, peer, sender: mail.sender, recipients: [...mail.recipients] };
}
