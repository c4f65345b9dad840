import Joi from 'joi';
import { LANGUAGES } from '../../domain/settings/language';
import { LONGEST_POST_WAIT } from '../../domain/journeys/journey-post';
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock';
import type { DueKind } from '../../stores/ports/due-payloads';
import type { RecordVersion } from '../../streams/record-versions';

/** One line of the table of due work (docs/architecture.md#due-work). */
export interface DueWorkSpec {
  /** What is due, in the plural, as `kurir doctor` says it. */
  name: string;
  /** The processes that run it. */
  role: 'webhooks' | 'conversions' | 'timers' | 'campaigns' | 'journeys';
  /** Tasks, or batches, processed at the same time. Left out for lanes, which have limits of their own. */
  atOnce?: number;
  /** Tasks in a batch. Default: 1. */
  batch?: number;
  /** How long a claim holds a task, ms: longer than an attempt. After that another worker may start the next one. */
  lease: number;
  /** The schemas of its payload, in order. A payload of version 2 or later has its number as `v`. */
  versions: readonly RecordVersion[];
}

/** Unknown fields pass: during a rolling replacement, an older program may read what a newer one wrote. */
const fields = (keys: Joi.PartialSchemaMap): readonly RecordVersion[] => [{ schema: Joi.object(keys).unknown() }];
const whole = Joi.number().integer().required();
const nothing = fields({});
const replay = fields({
  from: whole,
  to: whole,
  names: Joi.string().allow('').required(),
  afterId: Joi.string().allow(null).required(),
});
const resume = fields({ after: whole, again: Joi.boolean().required() });
const goal = fields({ messageId: Joi.string().guid().required() });
const confirmation = fields({ language: Joi.string().valid(...LANGUAGES) });
const lease = 30 * SECOND;

/**
 * Every kind of due work. Its payload is typed in stores/ports/due-payloads.ts, its handler is in
 * app/services/due-work.ts.
 */
export const DUE_WORK: { readonly [K in DueKind]: DueWorkSpec } = {
  webhook: { name: 'deliveries to webhooks', role: 'webhooks', lease, versions: nothing },
  'webhook-replay': { name: 'replays of webhooks', role: 'timers', atOnce: 4, lease, versions: replay },
  // How soon another process takes over from one that died. A slower run is no harm: two do not repeat each other's
  // steps.
  campaigns: { name: 'campaigns', role: 'campaigns', atOnce: 4, lease: 5 * SECOND, versions: nothing },
  'campaign-starts': { name: 'starts of campaigns', role: 'campaigns', atOnce: 4, lease: MINUTE, versions: nothing },
  // New enrollments wake it. One batch is read while the store writes for another.
  'journey-step': {
    name: 'steps',
    role: 'journeys',
    atOnce: 2,
    batch: 500,
    lease,
    versions: nothing,
  },
  'journey-resume': { name: 'resumed journeys', role: 'journeys', atOnce: 4, lease, versions: resume },
  'journey-post': { name: 'webhook steps', role: 'journeys', lease, versions: nothing },
  'journey-goal': { name: 'goals', role: 'journeys', atOnce: 64, lease, versions: goal },
  'confirm-mail': { name: 'confirmation emails', role: 'timers', atOnce: 20, lease: MINUTE, versions: confirmation },
  'confirm-expiry': { name: 'ends of confirmations', role: 'timers', atOnce: 50, lease, versions: nothing },
  'alarm-notice': { name: 'notices of alarms', role: 'timers', atOnce: 4, lease: MINUTE, versions: nothing },
  conversion: { name: 'sales', role: 'conversions', atOnce: 32, lease, versions: nothing },
};

export const DUE_KINDS = Object.keys(DUE_WORK) as DueKind[];

/**
 * The longest waits until due work is due, ms: what is due later was scheduled by a clock that was ahead. Kinds are
 * left out where a person or a step says when, or where it ends something that lasts long.
 */
export const LONGEST_TASKS: Partial<Record<DueKind, number>> = {
  webhook: 2 * MINUTE,
  'webhook-replay': MINUTE,
  'journey-post': LONGEST_POST_WAIT,
  campaigns: HOUR,
  'journey-resume': MINUTE,
  'journey-goal': MINUTE,
  'confirm-mail': DAY,
  'alarm-notice': HOUR,
};
