import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { NodemailerError } from 'nodemailer/lib/errors';
import { FencedBody } from './fenced-body';
import { oneLine, refusalOf, replyText } from './smtp-reply';
import type { HandOffOutcome } from './transport';

/** One mail with an envelope that has been checked. */
export interface OutgoingMail {
  from: string;
  to: string;
  envid: string;
  raw: Buffer;
  fence: () => Promise<boolean>;
}

/** How a mail fared on one connection. */
export interface Delivery {
  outcome: HandOffOutcome;
  /** False: the server never asked for the mail, so nothing stands against trying another connection. */
  fenceAsked: boolean;
  /** What the connection may be used for next: another mail, another mail after RSET, or nothing: it is closed. */
  connection: 'ready' | 'needs_reset' | 'closed';
}

/** Sends one mail over a connection. The outcome is judged by what our own body stream gave away (DESIGN 3.5). */
export function deliver(connection: SMTPConnection, mail: OutgoingMail, signal: AbortSignal): Promise<Delivery> {
  return new Promise((resolve) => new SmtpDelivery(connection, mail, resolve).start(signal));
}

class SmtpDelivery {
  private readonly body: FencedBody;
  private settled = false;
  private fenceAsked = false;
  /** Resolves to why the fence refused, or null. */
  private fencing: Promise<string | null> = Promise.resolve(null);

  constructor(
    private readonly connection: SMTPConnection,
    private readonly mail: OutgoingMail,
    private readonly resolve: (delivery: Delivery) => void,
  ) {
    this.body = new FencedBody(
      mail.raw,
      () => this.passFence(),
      () => this.mayFinish(),
    );
  }

  start(signal: AbortSignal): void {
    const onAbort = (): void => this.settle(this.broken('The hand-off took too long.'));
    // nodemailer calls back with the error first; this is for an end that it reports to nobody
    const onEnd = (): void => void setImmediate(() => this.settle(this.broken('The connection ended.')));
    signal.addEventListener('abort', onAbort, { once: true });
    this.connection.once('end', onEnd);
    this.connection.send(this.envelope(), this.body, (error, info) => {
      signal.removeEventListener('abort', onAbort);
      this.connection.removeListener('end', onEnd);
      this.settle(error ? this.failed(error) : this.accepted(info.response));
    });
    if (signal.aborted) onAbort();
  }

  private envelope(): SMTPConnection.Envelope {
    const { from, to, envid, raw } = this.mail;
    const ascii = !/[^ -~]/.test(to);
    const dsn = { ret: 'HDRS', envid, notify: 'SUCCESS,FAILURE,DELAY', ...(ascii ? { orcpt: `rfc822;${to}` } : {}) };
    return { from, to: [to], size: raw.length, dsn };
  }

  private async passFence(): Promise<boolean> {
    const reply = String(this.connection.lastServerResponse);
    if (!reply.startsWith('3')) {
      this.settle({ kind: 'not_sent', reason: `The server answered DATA with: ${replyText(reply)}` });
      return false;
    }
    this.fenceAsked = true;
    this.fencing = ask(this.mail.fence);
    const refused = await this.fencing;
    if (refused !== null) this.settle({ kind: 'fenced_out', reason: refused });
    return this.mayFinish();
  }

  /** True while the bytes that come next can still reach the server. */
  private mayFinish(): boolean {
    const socket = this.connection._socket;
    const alive = socket && !this.connection.destroyed && !socket.destroyed && socket.writable && !socket.readableEnded;
    if (!alive) this.settle({ kind: 'not_sent', reason: 'The connection ended before the mail was sent.' });
    return !this.settled;
  }

  private accepted(reply: string): HandOffOutcome {
    if (this.body.finished) return { kind: 'sent', reply: replyText(reply) };
    return { kind: 'unknown', reason: `The server answered before the mail was sent: ${replyText(reply)}` };
  }

  private failed(error: NodemailerError): HandOffOutcome {
    const refusal = error.response ? refusalOf(error.response) : null;
    if (refusal) return { kind: 'refused', ...refusal };
    // the server announced a limit (SIZE) that the mail is above
    if (error.code === 'EMESSAGE' && !error.response)
      return { kind: 'refused', permanent: true, reply: oneLine(error.message) };
    return this.broken(error.message);
  }

  private broken(reason: string): HandOffOutcome {
    return { kind: this.body.finished ? 'unknown' : 'not_sent', reason: oneLine(reason) };
  }

  private settle(outcome: HandOffOutcome): void {
    if (this.settled) return;
    this.settled = true;
    const next = this.nextUse(outcome);
    if (next === 'closed') this.connection.close();
    void this.fencing.then((refused) => {
      const told: HandOffOutcome = refused === null ? outcome : { kind: 'fenced_out', reason: refused };
      this.resolve({ outcome: told, fenceAsked: this.fenceAsked, connection: next });
    });
  }

  private nextUse(outcome: HandOffOutcome): Delivery['connection'] {
    if (this.connection.destroyed) return 'closed';
    if (outcome.kind === 'sent' || (outcome.kind === 'refused' && this.body.finished)) return 'ready';
    return outcome.kind === 'refused' && !this.fenceAsked ? 'needs_reset' : 'closed';
  }
}

async function ask(fence: () => Promise<boolean>): Promise<string | null> {
  try {
    return (await fence()) === true ? null : 'The fence refused the hand-off.';
  } catch (error) {
    return oneLine(`The fence failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
