import type { NodemailerError } from 'nodemailer/lib/errors';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Deadline } from '../../lib/deadline';
import { smtpExtensions, type SmtpExtensions } from './smtp-extensions';
import type { SmtpTarget } from './smtp-options';
import { oneLine, replyText } from './smtp-reply';
import { SmtpWire } from './smtp-wire';

/** A greeted, encrypted and authenticated session with the sending server. */
export interface OpenSession {
  wire: SmtpWire;
  offers: SmtpExtensions;
}

/** Why no session could be opened. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
  /** `reply`: the reply with which the server refused the session, or null when it did not answer. */
  constructor(
    message: string,
    readonly reply: string | null,
  ) {
    super(oneLine(message));
  }
}

/**
 * Connects, greets, encrypts and logs in using nodemailer; from then on our own wire is used. Rejects with
 * SessionError, also when the deadline expires first.
 */
export function openSession(
  { connection: options, auth, pipelining, timeouts }: SmtpTarget,
  deadline: Deadline,
): Promise<OpenSession> {
  const connection = new SMTPConnection(options);
  return new Promise((resolve, reject) => {
    const fail = (error: NodemailerError): void => {
      clearTimeout(timer);
      reject(new SessionError(error.message, error.response ? replyText(error.response) : null));
      connection.close();
    };
    const onOpen = (offers: SmtpExtensions): void => {
      if (!connection._socket) return fail(new Error('The connection ended.'));
      clearTimeout(timer);
      deadline.onExpire(null);
      resolve({ wire: new SmtpWire(connection._socket, timeouts), offers });
    };
    const late = (): void => fail(new Error('The session with the sending server was not opened in time.'));
    const timer = setTimeout(late, timeouts.open);
    // stays for the life of the connection: without a listener, nodemailer would throw the error
    connection.on('error', fail);
    connection.once('end', () => fail(new Error('The connection ended.')));
    connection.connect((error) => {
      if (error) return fail(error);
      const offers = smtpExtensions(String(connection.lastServerResponse));
      offers.pipelining &&= pipelining;
      if (!auth) return onOpen(offers);
      connection.login(auth, (refused) => (refused ? fail(refused) : onOpen(offers)));
    });
    deadline.onExpire(late);
  });
}
