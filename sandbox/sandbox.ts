import type { AddressInfo } from 'node:net';
import { Activity } from '../lib/activity';
import type { Clock } from '../lib/clock';
import { silentLogger, type Logger } from '../lib/logger';
import { HookStore } from './hooks/hook-store';
import { createMailListener } from './mail-listener';
import { MailFile } from './mail-file';
import type { MailSummary, StoredMail } from './mail';
import { MailStore } from './mail-store';
import { PendingReports } from './pending-reports';
import { ReportSender } from './report-sender';
import { RefusedMails } from './refused-mails';

export interface SandboxDeps {
  /** The sandbox's own SQLite file; created when missing. */
  file: string;
  /** The file becomes this installation's, or must be already; without it the file names no installation. */
  installationId?: string;
  clock: Clock;
  /** Records what the sandbox is doing, and which hand-off waits for a slow answer. */
  activity?: Activity;
  /** Default 127.0.0.1. */
  host?: string;
  /** 0 takes a free port. */
  port: number;
  /** Where the reports go: the listener for delivery reports. Called before every connection. */
  reports: () => { host: string; port: number };
  /** The host name in the server's greeting and in its reports. */
  hostname: string;
  logger?: Pick<Logger, 'info' | 'warn'>;
}

/** A sending server in the process that stores every mail and reports on it as a real one would. */
export interface Sandbox extends Inbox {
  /** What its hooks received. */
  readonly hooks: HookStore;
  /** Accepts mail and sends the pending reports; rejects with the error of the socket, such as EADDRINUSE. */
  listen(): Promise<{ port: number }>;
  /** Answers running sessions and closes the file. Reports not accepted yet stay pending. */
  close(): Promise<void>;
  /** Resolves when every report due by the clock was tried; for tests. */
  idle(): Promise<void>;
}

/** What the sandbox shows of its mails. */
export interface Inbox {
  /** What it refused. */
  readonly refused: Pick<RefusedMails, 'list' | 'count'>;
  /** Newest first; `before` is the id of the last mail on the previous page, `search` what they must contain. */
  list(query: { limit: number; before?: number; search?: string }): MailSummary[];
  /** Null when there is no such mail. */
  get(id: number): StoredMail | null;
  /** Number of mails, of those that contain `search`. */
  total(search?: string): number;
  /** Deletes one mail; false when there is none. */
  delete(id: number): Promise<boolean>;
  /** Deletes all mails up to this id; resolves with their number. */
  deleteUpTo(id: number): Promise<number>;
  /** How often a message was received, by its X-Message-id or ENVID. */
  countByMessage(messageId: string): number;
}

/**
 * Opens the sandbox. Its behaviours are listed in behaviour.ts. A mail, the reports it triggers and the count of tries
 * are on disk before the answer that depends on them, so killing the process loses nothing it promised. All waits use
 * the clock. Throws the errors of MailFile.
 */
export function createSandbox(deps: SandboxDeps): Sandbox {
  const { clock, hostname, logger = silentLogger, activity = new Activity() } = deps;
  const { installationId } = deps;
  const file = new MailFile(deps.file, installationId === undefined ? undefined : { installationId, now: clock.now() });
  const store = new MailStore(file);
  const refused = new RefusedMails(file);
  const reports = new PendingReports(file);
  const reportSender = new ReportSender({ reports, clock, activity, target: deps.reports, hostname, logger });
  const { server, close } = createMailListener({
    store,
    refused,
    clock,
    activity,
    hostname,
    logger,
    onKept: () => reportSender.wake(),
  });

  const listen = (): Promise<{ port: number }> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(deps.port, deps.host ?? '127.0.0.1', () => {
        server.off('error', reject);
        reportSender.start();
        resolve({ port: (server.server.address() as AddressInfo).port });
      });
    });

  return {
    hooks: new HookStore(file),
    listen,
    close: async () => {
      await close();
      await reportSender.stop();
      file.close();
    },
    idle: () => reportSender.idle(),
    refused,
    list: ({ limit, before, search }) => store.list(limit, before ?? Number.MAX_SAFE_INTEGER, search),
    get: (id) => store.get(id),
    total: (search) => store.total(search),
    delete: async (id) => (await store.delete(id, id, clock.now())) > 0,
    deleteUpTo: (id) => store.delete(store.oldest(), id, clock.now()),
    countByMessage: (messageId) => store.countByMessage(messageId),
  };
}
