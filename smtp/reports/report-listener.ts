import type { AddressInfo } from 'node:net';
import type { SMTPServer, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import type { Clock } from '../../lib/clock';
import { silentLogger, type Logger } from '../../lib/logger';
import type { Keyring } from '../../domain/keyring';
import { QuotedPathServer } from '../../email/transports/quoted-path-server';
import type { EventLog } from '../../streams/event-log';
import { keepAggregate, type ArrivedReport, type KeepDeps } from '../../operations/reports/keep-aggregate';
import { closeListener } from './close-listener';
import { Overruns } from './overruns';
import { MAX_MAIL, refusal, ReportReceiver } from './report-receiver';
import { ReportIntake, type IntakeDeps } from '../../operations/reports/report-intake';
import { inlineReportReader, type ReportReader } from './report-reader';

export interface ReportListenerDeps {
  keyring: Keyring;
  clock: Clock;
  log: Pick<EventLog, 'publish'>;
  /** Whose messages they are, and where what was not understood is kept. */
  stores?: IntakeDeps['stores'];
  /** Where aggregate reports are kept; without them they are dropped. */
  reportStores?: KeepDeps['stores'];
  /** Default: on this thread, by the rules that Kurir comes with. */
  reader?: ReportReader;
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

const MAX_CLIENTS = 100;
const MAX_RECIPIENTS = 100;
/** ms, real time */
const CLOSE_TIMEOUT = 8_000;

/**
 * The SMTP listener for delivery reports and complaints (docs/architecture.md#feedback). It accepts mail only for
 * signed bounce addresses, complaints for `feedback@` and `fbl@`, and aggregate reports for `dmarc@` and `tls@`, and
 * replies 250 once the reports are durable in `mta.feedback`. On failure it replies 451, so the report is sent again,
 * also when it could not be read (docs/bounces.md#limits). Mail that is not a report is accepted and dropped, so that
 * automatic replies do not bounce back to their senders.
 */
export function createReportListener(deps: ReportListenerDeps): ReportListener {
  const logger = deps.logger ?? silentLogger;
  const intake = new ReportIntake({ log: deps.log, clock: deps.clock, logger, stores: deps.stores ?? null });
  const underWay = new Set<Promise<void>>();
  const { keyring, isTrustedPeer, reader = inlineReportReader(), reportStores: stores, clock } = deps;
  const keep = async (arrived: ArrivedReport) => (stores ? keepAggregate({ stores, clock }, arrived) : 'none are kept');
  const receiver = new ReportReceiver({
    keyring,
    isTrustedPeer,
    reader,
    intake,
    keep,
    logger,
    overruns: new Overruns(clock),
  });

  const server = new QuotedPathServer({
    ...optionsOf(deps),
    onRcptTo: ({ address }, _session, callback) =>
      callback(receiver.isOurs(address) ? null : refusal(550, '5.1.1 No such bounce address')),
    onData: (stream, session, callback) => {
      const work = receiver.receive(stream, session).then((error) => {
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
