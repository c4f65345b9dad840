import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { NodemailerError } from 'nodemailer/lib/errors';
import { needsSmtpUtf8 } from './envelope-address';
import { deliver, type Delivery, type OutgoingMail } from './smtp-delivery';
import type { SmtpTarget } from './smtp-options';
import { oneLine, replyText } from './smtp-reply';

/** How long the server may take to answer RSET and QUIT before the connection is closed anyway, ms. */
const RESET_WAIT = 5_000;
const QUIT_WAIT = 1_000;

/** Why no session could be opened. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
  /** `reply`: what the server refused the session with, or null when it did not answer. */
  constructor(
    message: string,
    readonly reply: string | null,
  ) {
    super(oneLine(message));
  }
}

/** A greeted and authenticated connection to the sending server, for one mail at a time. */
export class SmtpSession {
  /** Mails begun on it. */
  used = 0;

  private constructor(
    private readonly connection: SMTPConnection,
    private readonly smtpUtf8: boolean,
  ) {}

  /** Connects, greets and logs in. Rejects with SessionError, also when the signal aborts first. */
  static open({ connection: options, auth }: SmtpTarget, signal: AbortSignal): Promise<SmtpSession> {
    const connection = new SMTPConnection(options);
    return new Promise((resolve, reject) => {
      const fail = (error: NodemailerError): void => {
        signal.removeEventListener('abort', onAbort);
        reject(new SessionError(error.message, error.response ? replyText(error.response) : null));
        connection.close();
      };
      const onAbort = (): void => fail(new Error('No session with the sending server in time.'));
      const onOpen = (smtpUtf8: boolean): void => {
        signal.removeEventListener('abort', onAbort);
        resolve(new SmtpSession(connection, smtpUtf8));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      // stays for the life of the connection: nodemailer throws an error that nobody listens to
      connection.on('error', fail);
      connection.once('end', () => fail(new Error('The connection ended.')));
      connection.connect((error) => {
        if (error) return fail(error);
        const smtpUtf8 = /^250[ -]SMTPUTF8\s*$/im.test(String(connection.lastServerResponse));
        if (!auth) return onOpen(smtpUtf8);
        connection.login(auth, (refused) => (refused ? fail(refused) : onOpen(smtpUtf8)));
      });
      if (signal.aborted) onAbort();
    });
  }

  /** False once the connection ended. */
  get alive(): boolean {
    const socket = this.connection._socket;
    return Boolean(socket && !this.connection.destroyed && socket.writable && !socket.readableEnded);
  }

  /** Sends one mail. */
  async deliver(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery> {
    this.used++;
    if (needsSmtpUtf8(mail.to) && !this.smtpUtf8) {
      const reply = `The sending server does not take addresses in other scripts (SMTPUTF8): ${mail.to}`;
      return { outcome: { kind: 'refused', permanent: true, reply }, fenceAsked: false, connection: 'ready' };
    }
    return deliver(this.connection, mail, signal);
  }

  /** Ends a refused transaction. False, and closed, when the server did not agree in time. */
  async reset(): Promise<boolean> {
    const agreed = await this.answerWithin(RESET_WAIT, (done) => this.connection.reset((error) => done(!error)));
    if (!agreed) this.connection.close();
    return agreed;
  }

  /** Says goodbye and closes; resolves when the connection has ended. */
  async quit(): Promise<void> {
    if (this.alive) await this.answerWithin(QUIT_WAIT, () => this.connection.quit());
    this.connection.close();
  }

  /** What the work calls back with; false when the connection ended or the time was over before. */
  private answerWithin(wait: number, work: (done: (answer: boolean) => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (answer: boolean): void => {
        clearTimeout(timer);
        this.connection.removeListener('end', onEnd);
        resolve(answer);
      };
      const onEnd = (): void => done(false);
      const timer = setTimeout(onEnd, wait);
      this.connection.once('end', onEnd);
      work(done);
    });
  }
}
