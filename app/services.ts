import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Logger } from '../lib/logger';
import type { Activity } from '../lib/activity';
import type { Clock } from '../lib/clock';
import type { BounceRules } from '../domain/bounces/bounce-rules';
import { Keyring } from '../domain/keyring';
import type { DueHandler } from '../consumers/due-work/due-work';
import type { DueWorkSpec } from '../schemas/due-work/table';
import type { Transport } from '../email/transports/transport';
import type { Destinations } from '../operations/destinations/note-reply';
import type { WebhookSender } from '../operations/webhooks/client/webhook-sender';
import type { Stores } from '../stores/ports';
import type { DueKind } from '../stores/ports/due-payloads';
import type { Engine } from '../stores/ports/engine';
import type { RateLimiter } from '../stores/ports/rate-limiter';
import type { Config } from '../operations/config/config';
import type { Metrics } from './metrics/metrics';
import type { Health } from './core/health';
import type { ProcessLease } from './core/process-lease';
import { StartError } from '../lib/start-error';

/** A kind of due work beside those of the table. */
export type ExtraDueWork = { kind: DueKind; spec: DueWorkSpec; handler: DueHandler<DueKind> };

/** Wrappers around ports, with which tests inject faults, and extra due work. */
export interface Wrappers {
  engine?: (engine: Engine) => Engine;
  transport?(transport: Transport): Transport;
  webhookSender?(sender: WebhookSender): WebhookSender;
  dueWork?(services: Services): readonly ExtraDueWork[];
}

/** What every part of the program receives. */
export interface Services {
  config: Config;
  clock: Clock;
  activity: Activity;
  logger: Logger;
  engine: Engine;
  keyring: Keyring;
  /** See operations/installation/installation-id.ts. */
  installationId: string;
  processLease: ProcessLease;
  rateLimiter: RateLimiter;
  /** False while this process is on standby: what it would accept is refused. */
  mayAct: () => boolean;
  /** How many processes hand mail over, at least 1. */
  dispatchers: () => number;
  /** Kurir's rules for reading refusals, after those of the operator. */
  bounceRules: BounceRules;
  /** Null: mail is not paced by destination. */
  destinations: Destinations | null;
  health: Health;
  /** Null when they are switched off. */
  metrics: Metrics | null;
  /** UUIDv7 from the clock's milliseconds: ids sort by time. */
  newId: () => string;
  /** Base of tracking links and pages, no trailing slash; known once the HTTP port is bound. */
  publicUrl: () => string;
  /** Where people reach the dashboard, no trailing slash. */
  dashboardUrl: () => string;
  wrap: Wrappers;
  /** Folder of the compiled worker programs, if there are any. */
  programs: string | null;
}

/** UUIDv7 from the clock's milliseconds: ids sort by time. */
export const makeNewId =
  (clock: Clock): (() => string) =>
  () =>
    uuidv7({ msecs: clock.now(), random: randomBytes(16) });

/** The keyring, checked against the data: another secret could not read its keys and would produce invalid links. */
export async function checkedKeyring(secret: string, stores: Pick<Stores, 'settings'>): Promise<Keyring> {
  const keyring = new Keyring(secret);
  const check = keyring.hashCredential('secret check');
  if ((await stores.settings.setOnce('secret_check', check)) !== check) {
    throw new StartError(
      'The master secret (KURIR_SECRET, or the file secret in the data dir) is not the one of this data.',
    );
  }
  return keyring;
}
