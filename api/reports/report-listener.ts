import type { AddressInfo } from 'node:net';
import type { SMTPServer, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import type { Clock } from '../../lib/clock';
import { silentLogger, type Logger } from '../../lib/logger';
import type { Keyring } from '../../domain/keyring';
import { readVerpLocalPart } from '../../domain/message-tokens';
import { QuotedPathServer } from '../../email/transports/quoted-path-server';
import type { BounceRules } from '../../domain/bounces/bounce-rules';
import type { EventLog } from '../../streams/event-log';
import { closeListener } from './close-listener';
import { findComplaint, isFeedbackAddress } from './complaint-at-address';
import { MAX_REPORT_BYTES, parseReport } from './parse-report';
import { readHead, TooLargeError } from './read-head';
import { ReportIntake, type IntakeDeps } from './report-intake';

export interface ReportListenerDeps {
  keyring: Keyring;
  clock: Clock;
  log: Pick<EventLog, 'publish'>;
  /** Whose messages they are, and where what was not understood is kept. */
  stores?: IntakeDeps['stores'];
  /** Default: those that Kurir comes with. */
  rules?: BounceRules;
  /** 0 chooses a free port. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Enables STARTTLS; without it the listener speaks only plain SMTP. */
  tls?: { cert: string | Buffer; key: string | Buffer };
  /**
   * Decides from which peers success, delay and expiry reports count (docs/architecture.md#feedback). Called with a
   * plain IPv4 or IPv6 address; a rejection results in 451.
   */
  isTrustedPeer: (remoteAddress: string) => boolean | Promise<boolean>;
  /** The name in the listener's greeting. */
  hostname: string;
  logger?: Pick<Logger, 'info' | 'warn'>;
}

export interface ReportListener {
  /** Rejects with the error of the socket, such as EADDRINUSE. */
  listen(): Promise<{ port: number }>;
  /** Stops accepting mail, answers mail in progress, and closes every connection. */
  close(): Promise<void>;
}

const MAX_MAIL = 10 * 1024 * 1024;
const MAX_CLIENTS = 100;
const MAX_RECIPIENTS = 100;
/** ms, real time */
const CLOSE_TIMEOUT = 8_000;

/**
 * The SMTP listener for delivery reports and complaints (docs/architecture.md#feedback). It accepts mail only for
 * signed bounce addresses, and complaints for `feedback@` and `fbl@`, and replies 250 once the reports are durable in `mta.feedback`; on failure it replies 451,
 * so the report is sent again. Mail that is not a report is accepted and dropped, so that automatic replies do not
 * bounce back to their senders.
 */
export function createReportListener(deps: ReportListenerDeps): ReportListener {
  const logger = deps.logger ?? silentLogger;
  const intake = new ReportIntake({ log: deps.log, clock: deps.clock, logger, stores: deps.stores ?? null });
  const underWay = new Set<Promise<void>>();
  const messageOf = (address: string): string | null =>
    readVerpLocalPart(deps.keyring, address.slice(0, address.lastIndexOf('@')));

  const isOurs = (address: string): boolean => messageOf(address) !== null || isFeedbackAddress(address);

  /** Resolves to null once the mail is processed, or to the reply that refuses it. */
  const receive = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null> => {
    const messageIds = session.envelope.rcptTo.flatMap(({ address }) => messageOf(address) ?? []);
    const peer = session.remoteAddress;
    try {
      const signed = session.envelope.rcptTo.map(({ address }) => address.slice(0, address.lastIndexOf('@')));
      const head = await readHead(stream, MAX_REPORT_BYTES, MAX_MAIL);
      const mail = await parseReport(head, { signed, ...(deps.rules && { rules: deps.rules }) });
      const trusted = await deps.isTrustedPeer(peer);
      if (messageIds.length > 0) await intake.take(mail, { messageIds, trusted, peer });
      if (session.envelope.rcptTo.some(({ address }) => isFeedbackAddress(address))) {
        const found = await findComplaint(deps.keyring, head, mail);
        if (found) await intake.take(found.mail, { messageIds: [found.messageId], trusted: false, peer });
        else
          logger.warn({ peer }, 'A mail to the feedback address was dropped: it is no complaint about a mail of ours.');
      }
      return null;
    } catch (error) {
      if (error instanceof TooLargeError) return refusal(552, `5.3.4 ${error.message}`);
      logger.warn({ err: error, messageIds, peer }, 'Storing a report failed; the peer was asked to retry.');
      return refusal(451, '4.3.0 Not stored, try again later');
    }
  };

  const server = new QuotedPathServer({
    ...optionsOf(deps),
    onRcptTo: ({ address }, _session, callback) =>
      callback(isOurs(address) ? null : refusal(550, '5.1.1 No such bounce address')),
    onData: (stream, session, callback) => {
      const work = receive(stream, session).then((error) => {
        callback(error, '2.0.0 Taken');
        if (error && stream.sizeExceeded) hangUp(server, session);
      });
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
    },
  });
  server.on('error', (error) => logger.info({ err: error }, 'A connection to the report listener failed.'));
  return { listen: () => listen(server, deps), close: () => closeListener(server, underWay) };
}

function optionsOf({ hostname, tls }: ReportListenerDeps): SMTPServerOptions {
  return {
    name: hostname,
    banner: 'reports',
    size: MAX_MAIL,
    maxClients: MAX_CLIENTS,
    maxRecipients: MAX_RECIPIENTS,
    maxCommandLength: 4096,
    closeTimeout: CLOSE_TIMEOUT,
    logger: false,
    disableReverseLookup: true,
    lenientAddressParsing: true,
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    // The replies here include their own enhanced status code.
    hideENHANCEDSTATUSCODES: true,
    ...tls,
  };
}

/** An error that carries an SMTP reply. */
function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** Ends a connection whose client keeps sending after it was refused. */
function hangUp(server: SMTPServer, session: SMTPServerSession): void {
  for (const connection of server.connections) if (connection.session === session) connection.close();
}

function listen(server: SMTPServer, { port, host }: ReportListenerDeps): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host ?? '127.0.0.1', () => {
      server.off('error', reject);
      resolve({ port: (server.server.address() as AddressInfo).port });
    });
  });
}
