import type { AddressInfo } from 'node:net';
import { Activity } from '../lib/activity';
import type { Clock } from '../lib/clock';
import { silentLogger, type Logger } from '../lib/logger';
import { createMailDoor } from './mail-listener';
import { MailFile } from './mail-file';
import type { MailSummary, StoredMail } from './mail';
import { MailStore } from './mail-store';
import { PendingReports } from './pending-reports';
import { ReportSender } from './report-sender';

export interface SandboxDeps {
  /** The sandbox's own SQLite file; made when it is not there. */
  file: string;
  clock: Clock;
  /** Told what it is at, and which hand-off waits for a server that thinks. */
  activity?: Activity;
  /** Default 127.0.0.1. */
  host?: string;
  /** 0 takes a free port. */
  port: number;
  /** Where the reports go: the listener for delivery reports. Asked before every connection. */
  reports: () => { host: string; port: number };
  /** The name the server greets with and signs its reports by. */
  hostname: string;
  logger?: Pick<Logger, 'info' | 'warn'>;
}

/** A sending server in the process, which keeps every mail and tells of it as a real one would. */
export interface Sandbox extends Inbox {
  /** Takes mail and sends the reports that are owed; rejects with the error of the socket, such as EADDRINUSE. */
  listen(): Promise<{ port: number }>;
  /** Answers what is under way and closes the file. Reports that were not taken yet stay owed. */
  close(): Promise<void>;
  /** Resolves when every report due by the clock was tried; for tests. */
  idle(): Promise<void>;
}

/** What the sandbox shows of its mails. */
export interface Inbox {
  /** Newest first; `before` is the id of the last mail of the page before. */
  list(query: { limit: number; before?: number }): MailSummary[];
  /** Null when there is no such mail. */
  get(id: number): StoredMail | null;
  /** How many mails it keeps. */
  total(): number;
  /** How often a message was received, by its X-Message-id or ENVID. */
  countByMessage(messageId: string): number;
}

/**
 * Opens the sandbox. Its behaviours are listed in behaviour.ts. A mail, the reports it causes and the count of tries are
 * on the disk before the answer that depends on them, so that killing the process loses nothing it promised; all waits
 * are on the clock. Throws when the file cannot be opened.
 */
export function createSandbox(deps: SandboxDeps): Sandbox {
  const { clock, hostname, logger = silentLogger, activity = new Activity() } = deps;
  const file = new MailFile(deps.file);
  const store = new MailStore(file);
  const reports = new PendingReports(file);
  const courier = new ReportSender({ reports, clock, activity, target: deps.reports, hostname, logger });
  const { server, close } = createMailDoor({ store, clock, activity, hostname, logger, onKept: () => courier.wake() });

  const listen = (): Promise<{ port: number }> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(deps.port, deps.host ?? '127.0.0.1', () => {
        server.off('error', reject);
        courier.start();
        resolve({ port: (server.server.address() as AddressInfo).port });
      });
    });

  return {
    listen,
    close: async () => {
      await close();
      await courier.stop();
      file.close();
    },
    idle: () => courier.idle(),
    list: ({ limit, before }) => store.list(limit, before ?? Number.MAX_SAFE_INTEGER),
    get: (id) => store.get(id),
    total: () => store.total(),
    countByMessage: (messageId) => store.countByMessage(messageId),
  };
}
