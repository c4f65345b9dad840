import type {
  SMTPServer,
  SMTPServerAddress,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from 'smtp-server';
import { QuotedPathServer } from '../email/transports/quoted-path-server';
import { type Activity, recordTask } from '../lib/activity';
import { type Clock, MINUTE } from '../lib/clock';
import type { Logger } from '../lib/logger';
import { behaviourOf, type Recipient, SLOW_WAIT } from './behaviour';
import type { MailStore } from './mail-store';
import type { RefusedMails } from './refused-mails';
import { asciiDomain } from './report-mail';

export interface MailListenerDeps {
  store: MailStore;
  refused: RefusedMails;
  clock: Clock;
  activity: Activity;
  hostname: string;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Called after a mail was stored. */
  onKept: () => void;
}

export interface SmtpListener {
  server: SMTPServer;
  /** Answers running sessions, `slow` ones at once, and closes every connection. */
  close: () => Promise<void>;
}

const TASK = 'sandbox mail';
/** Enough for the largest mail of the service (10 MB of files, two texts) once encoded. */
const MAX_MAIL = 40 * 1024 * 1024;
const SOFT_BOUNCES = 3;
const GREY_TIME = MINUTE;
/** ms, real time */
const CLOSE_TIMEOUT = 5_000;

const OPTIONS: SMTPServerOptions = {
  banner: 'Kurir sandbox',
  size: MAX_MAIL,
  closeTimeout: CLOSE_TIMEOUT,
  maxCommandLength: 4096,
  maxRecipients: 1000,
  logger: false,
  disableReverseLookup: true,
  lenientAddressParsing: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  hideDSN: false,
  // The replies in this file carry their own enhanced code.
  hideENHANCEDSTATUSCODES: true,
};

/** An error with its SMTP reply. */
const refusal = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });

/** The SMTP server of the sandbox: a mail and the reports it triggers are on disk before its 250. */
export function createMailListener(deps: MailListenerDeps): SmtpListener {
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();
  const disconnects = new Map<SMTPServerSession, AbortController>();

  const answer = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<'250' | 'drop'> => {
    const disconnect = new AbortController();
    disconnects.set(session, disconnect);
    try {
      const answers = await keep(deps, stream, session);
      if (answers.has('slow')) await delayAnswer(deps, session, AbortSignal.any([closing.signal, disconnect.signal]));
      return answers.has('drop') ? 'drop' : '250';
    } finally {
      disconnects.delete(session);
    }
  };

  const server = new QuotedPathServer({
    ...OPTIONS,
    name: deps.hostname,
    onRcptTo: (address, session, callback) => {
      void answerRecipient(deps, address, session).then(callback);
    },
    onData: (stream, session, callback) => {
      const work = answer(stream, session).then(
        (outcome) => (outcome === '250' ? callback(null, '2.0.0 Kept') : hangUp(server, session)),
        (error: Error) => callback(error),
      );
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
    },
    onClose: (session) => disconnects.get(session)?.abort(),
  });
  // Not earlier: an error in listening, such as a port that is taken, belongs to the caller of `listen`.
  server.server.once('listening', () => {
    server.on('error', (error) => deps.logger.info({ err: error }, 'A connection to the sandbox failed.'));
  });

  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(resolve));
    closing.abort();
    await Promise.race([Promise.allSettled(underWay), closed]);
    for (const connection of server.connections) connection.send(421, '4.3.2 Shutting down');
    await closed;
  };
  return { server, close };
}

/** Makes the client wait. If the client is our own dispatch, its hand-off cannot go on before the clock does. */
function delayAnswer(
  { clock, activity }: MailListenerDeps,
  { envelope }: SMTPServerSession,
  signal: AbortSignal,
): Promise<void> {
  const handOff = recordTask('dispatch', envelope.dsn?.envid ?? '');
  return activity.waiting(handOff, clock.until(clock.now() + SLOW_WAIT, signal));
}

/** What `judgeRecipient` says; a refusal is kept for the inbox first. Never rejects. */
async function answerRecipient(
  deps: MailListenerDeps,
  recipient: SMTPServerAddress,
  session: SMTPServerSession,
): Promise<Error | null> {
  const error = await judgeRecipient(deps, recipient, session);
  if (error) await keepRefusal(deps, session, [recipient], error);
  return error;
}

/** Never rejects: the inbox goes without it then. */
async function keepRefusal(
  { refused, clock, logger }: MailListenerDeps,
  { envelope }: SMTPServerSession,
  recipients: readonly SMTPServerAddress[],
  { responseCode, message }: Error & { responseCode?: number },
): Promise<void> {
  const mailFrom = envelope.mailFrom ? asciiDomain(envelope.mailFrom.address) : '';
  const facts = { mailFrom, envid: envelope.dsn?.envid ?? null, reason: `${responseCode ?? 451} ${message}` };
  try {
    for (const { address } of recipients) await refused.add({ ...facts, recipient: asciiDomain(address) }, clock.now());
  } catch (error) {
    logger.warn({ err: error }, 'The sandbox could not keep a refusal.');
  }
}

/** Null, or the refusal that the recipient's behaviour or a full disk causes. Never rejects. */
async function judgeRecipient(
  { store, clock, logger }: MailListenerDeps,
  { address }: SMTPServerAddress,
  session: SMTPServerSession,
): Promise<Error | null> {
  const { recipient } = behaviourOf(address);
  if (recipient === 'reject') return refusal(550, '5.1.1 No such user here');
  if (recipient === 'defer') return refusal(451, '4.3.0 Not now, and never');
  if (!recipient) return null;
  try {
    const now = clock.now();
    const { before, firstAt } = await store.countTry(`${recipient} ${tryKey(session, address)}`, now);
    if (recipient === 'softbounce') {
      return before < SOFT_BOUNCES ? refusal(451, `4.2.0 Soft bounce ${before + 1} of ${SOFT_BOUNCES}`) : null;
    }
    return now < firstAt + GREY_TIME ? refusal(451, '4.7.1 Greylisted, try again in a minute') : null;
  } catch (error) {
    logger.warn({ err: error }, 'The sandbox could not count a try.');
    return refusal(451, '4.3.0 Not stored, try again later');
  }
}

/** One message to one recipient: by ENVID, which stays the same through all tries, otherwise by sender. */
function tryKey({ envelope }: SMTPServerSession, address: string): string {
  const sender = envelope.mailFrom ? envelope.mailFrom.address : '';
  return JSON.stringify([envelope.dsn?.envid ?? ['from', sender], address.toLowerCase()]);
}

/** Stores the mail and returns how its recipients change the reply; rejects with the refusal when it is not stored. */
async function keep(
  deps: MailListenerDeps,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<Set<'slow' | 'drop' | undefined>> {
  const { store, clock, activity, logger, onKept } = deps;
  const { envelope } = session;
  const recipients = envelope.rcptTo.map(toRecipient);
  const source = await readMail(stream);
  if (source === null) {
    const error = refusal(552, `5.3.4 More than ${MAX_MAIL} bytes`);
    await keepRefusal(deps, session, envelope.rcptTo, error);
    throw error;
  }
  activity.begin(TASK);
  try {
    await store.keep({
      receivedAt: clock.now(),
      mailFrom: envelope.mailFrom ? asciiDomain(envelope.mailFrom.address) : '',
      recipients,
      envid: envelope.dsn?.envid ?? null,
      ret: envelope.dsn?.ret ?? null,
      source,
    });
    onKept();
  } catch (error) {
    logger.warn({ err: error }, 'The sandbox could not store a message.');
    throw refusal(451, '4.3.0 Not stored, try again later');
  } finally {
    activity.end(TASK);
  }
  return new Set(recipients.map(({ address }) => behaviourOf(address).answer));
}

function toRecipient({ address, dsn }: SMTPServerAddress): Recipient {
  return { address: asciiDomain(address), notify: dsn?.notify ?? null, orcpt: dsn?.orcpt ?? null };
}

/** Reads the whole mail; null if it is too large: the rest is read and discarded then. */
async function readMail(stream: SMTPServerDataStream): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (stream.sizeExceeded) chunks.length = 0;
    else chunks.push(chunk);
  }
  return stream.sizeExceeded ? null : Buffer.concat(chunks);
}

/** Closes the connection of a session without an answer. */
function hangUp(server: SMTPServer, session: SMTPServerSession): void {
  for (const connection of server.connections) if (connection.session === session) connection.close();
}
