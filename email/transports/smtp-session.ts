import type { NodemailerError } from 'nodemailer/lib/errors';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Deadline } from './deadline';
import { needsSmtpUtf8 } from './envelope-address';
import { SmtpDelivery, type Delivery, type NextMail, type OutgoingMail } from './smtp-delivery';
import { smtpExtensions, type SmtpExtensions } from './smtp-extensions';
import type { SmtpTarget } from './smtp-options';
import { oneLine, replyText } from './smtp-reply';
import { SmtpWire } from './smtp-wire';

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

/** A greeted and authenticated connection to the sending server, for one mail at a time, and one announced behind it. */
export class SmtpSession {
  /** Mails begun on it. */
  used = 0;

  private constructor(
    private readonly wire: SmtpWire,
    private readonly offers: SmtpExtensions,
  ) {}

  /**
   * Connects, greets, encrypts and logs in, which nodemailer does; what follows goes over our own wire. Rejects with
   * SessionError, also when the deadline passes first.
   */
  static open({ connection: options, auth, pipelining }: SmtpTarget, deadline: Deadline): Promise<SmtpSession> {
    const connection = new SMTPConnection(options);
    return new Promise((resolve, reject) => {
      const fail = (error: NodemailerError): void => {
        reject(new SessionError(error.message, error.response ? replyText(error.response) : null));
        connection.close();
      };
      const onOpen = (offers: SmtpExtensions): void => {
        if (!connection._socket) return fail(new Error('The connection ended.'));
        deadline.whenPassed(null);
        resolve(new SmtpSession(new SmtpWire(connection._socket), offers));
      };
      // stays for the life of the connection: nodemailer throws an error that nobody listens to
      connection.on('error', fail);
      connection.once('end', () => fail(new Error('The connection ended.')));
      connection.connect((error) => {
        if (error) return fail(error);
        const offers = smtpExtensions(String(connection.lastServerResponse));
        offers.pipelining &&= pipelining;
        if (!auth) return onOpen(offers);
        connection.login(auth, (refused) => (refused ? fail(refused) : onOpen(offers)));
      });
      deadline.whenPassed(() => fail(new Error('No session with the sending server in time.')));
    });
  }

  /** False once the connection ended. */
  get alive(): boolean {
    return this.wire.alive;
  }

  /** Sends one mail; `next` is told in SmtpDelivery. */
  async deliver(mail: OutgoingMail, deadline: Deadline, next: NextMail): Promise<Delivery> {
    const reply = this.hindrance(mail);
    const delivery = this.prepare(mail, deadline, next);
    if (reply !== null)
      return {
        outcome: { kind: 'refused', permanent: true, reply },
        fenceAsked: false,
        connection: 'ready',
        thought: null,
      };
    delivery.start();
    return delivery.result;
  }

  /** True when the mail may be announced behind another one. */
  takesBehind(mail: OutgoingMail): boolean {
    return this.offers.pipelining && this.hindrance(mail) === null;
  }

  /** The delivery of one mail, not begun. */
  prepare(mail: OutgoingMail, deadline: Deadline, next: NextMail): SmtpDelivery {
    this.used++;
    return new SmtpDelivery({ wire: this.wire, offers: this.offers }, mail, deadline, next);
  }

  /** Ends a refused transaction. False, and closed, when the server did not agree in time. */
  async reset(): Promise<boolean> {
    const reply = await this.ask('RSET', RESET_WAIT);
    if (reply?.startsWith('2')) return true;
    this.wire.close();
    return false;
  }

  /** Says goodbye and closes. */
  async quit(): Promise<void> {
    if (this.alive) await this.ask('QUIT', QUIT_WAIT);
    this.wire.close();
  }

  /** Why the server, by what it offers, can never take the mail, or null. */
  private hindrance({ from, to, raw }: OutgoingMail): string | null {
    const { smtpUtf8, largest } = this.offers;
    const otherScript = smtpUtf8 ? undefined : [to, from].find(needsSmtpUtf8);
    if (otherScript !== undefined)
      return oneLine(`The sending server does not take addresses in other scripts (SMTPUTF8): ${otherScript}`);
    if (largest === null || raw.length <= largest) return null;
    return `The message size of ${raw.length} bytes is larger than allowed ${largest} by the sending server.`;
  }

  /** The reply to a command; null when the connection broke or the time was over before. */
  private ask(command: string, wait: number): Promise<string | null> {
    return new Promise((resolve) => {
      const done = (reply: string | null): void => {
        clearTimeout(timer);
        this.wire.done();
        resolve(reply);
      };
      const timer = setTimeout(() => done(null), wait);
      this.wire.use({ onTurn: () => undefined, onReply: done, onBroken: () => done(null) });
      this.wire.write(`${command}\r\n`);
    });
  }
}
