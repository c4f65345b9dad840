import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import type { Clock } from '../../lib/clock';
import { silentLogger, type Logger } from '../../lib/logger';
import type { Keyring } from '../../domain/keyring';
import { readVerpLocalPart } from '../../domain/message-tokens';
import type { EventLog } from '../../streams/event-log';
import { closeDoor } from './close-listener';
import { MAX_REPORT_BYTES, parseReport } from './parse-report';
import { readHead, TooLargeError } from './read-head';
import { ReportIntake } from './report-intake';

export interface ReportListenerDeps {
  keyring: Keyring;
  clock: Clock;
  log: Pick<EventLog, 'publish'>;
  /** 0 takes a free port. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Offers STARTTLS; without it the listener speaks plain SMTP only. */
  tls?: { cert: string | Buffer; key: string | Buffer };
  /**
   * Whose success, delay and expiry reports count (docs/architecture.md#feedback). Given a plain IPv4 or IPv6 address;
   * a rejection answers 451.
   */
  isTrustedPeer: (remoteAddress: string) => boolean | Promise<boolean>;
  /** The name the listener greets with. */
  hostname: string;
  logger?: Pick<Logger, 'info' | 'warn'>;
}

export interface ReportListener {
  /** Rejects with the error of the socket, such as EADDRINUSE. */
  listen(): Promise<{ port: number }>;
  /** Takes no new mail, answers what is under way, and closes every connection. */
  close(): Promise<void>;
}

const MAX_MAIL = 10 * 1024 * 1024;
const MAX_CLIENTS = 100;
const MAX_RECIPIENTS = 100;
/** ms, real time */
const CLOSE_TIMEOUT = 8_000;

/**
 * The SMTP listener for delivery reports and complaints (docs/architecture.md#feedback). It takes mail for signed
 * bounce addresses only, and answers 250 once what a report says is durable in `mta.feedback`; when that fails it
 * answers 451 and the report comes again. Mail that is no report is taken and dropped, so that nobody's automatic
 * answer is bounced back at him.
 */
export function createReportListener(deps: ReportListenerDeps): ReportListener {
  const logger = deps.logger ?? silentLogger;
  const intake = new ReportIntake(deps.log, deps.clock, logger);
  const underWay = new Set<Promise<void>>();
  const messageOf = (address: string): string | null =>
    readVerpLocalPart(deps.keyring, address.slice(0, address.lastIndexOf('@')));

  /** Null once the mail is dealt with, or the reply it is refused with. */
  const receive = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null> => {
    const messageIds = session.envelope.rcptTo.flatMap(({ address }) => messageOf(address) ?? []);
    const peer = session.remoteAddress;
    try {
      const mail = await parseReport(await readHead(stream, MAX_REPORT_BYTES, MAX_MAIL));
      await intake.take(mail, { messageIds, trusted: await deps.isTrustedPeer(peer), peer });
      return null;
    } catch (error) {
      if (error instanceof TooLargeError) return refusal(552, `5.3.4 ${error.message}`);
      logger.warn({ err: error, messageIds, peer }, 'A report was not stored; the peer is asked to send it again.');
      return refusal(451, '4.3.0 Not stored, try again later');
    }
  };

  const server = new SMTPServer({
    ...optionsOf(deps),
    onRcptTo: ({ address }, _session, callback) =>
      callback(messageOf(address) ? null : refusal(550, '5.1.1 No such bounce address')),
    onData: (stream, session, callback) => {
      const work = receive(stream, session).then((error) => {
        callback(error, '2.0.0 Taken');
        if (error && stream.sizeExceeded) hangUp(server, session);
      });
      underWay.add(work);
      void work.finally(() => underWay.delete(work));
    },
  });
  server.on('error', (error) => logger.info({ err: error }, 'A connection to the report listener broke.'));
  return { listen: () => listen(server, deps), close: () => closeDoor(server, underWay) };
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
    // The replies written here carry their own enhanced code.
    hideENHANCEDSTATUSCODES: true,
    ...tls,
  };
}

/** An error with the SMTP reply it stands for. */
function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** Ends a connection whose client goes on sending after it was refused. */
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
