import type { Activity } from '../lib/activity';
import type { BounceRules } from '../domain/bounces/bounce-rules';
import type { DueHandler } from '../consumers/due-work/due-work';
import type { DueWorkSpec } from '../schemas/due-work/table';
import type { Transport } from '../email/transports/transport';
import type { Destinations } from '../operations/destinations/record-destination-reply';
import type { WebhookSender } from '../operations/webhooks/client/webhook-sender';
import type { DueKind } from '../stores/ports/due-payloads';
import type { Engine } from '../stores/ports/engine';
import type { Services as ServedServices } from '../operations/services';
import type { Metrics } from './metrics/metrics';
import type { Health } from './core/health';
import type { ProcessLease } from './core/process-lease';

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
export interface Services extends ServedServices {
  activity: Activity;
  /** See operations/installation/installation-id.ts. */
  installationId: string;
  processLease: ProcessLease;
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
  wrap: Wrappers;
}
