import type { AcceptDeps } from '../../operations/messages/accept/accept-deps';
import { noticeWork } from '../../consumers/timers/alarms/notice-work';
import { driveWork } from '../../consumers/campaigns/drive-work';
import { startWork } from '../../consumers/campaigns/start-work';
import { settleWork } from '../../consumers/conversions/settle-work';
import { DueRunner } from '../../consumers/due-work/due-runner';
import type { DueHandler } from '../../consumers/due-work/due-work';
import { DUE_KINDS, DUE_WORK, type DueWorkSpec } from '../../schemas/due-work/table';
import { goalWork } from '../../consumers/journeys/goals';
import { postWork } from '../../consumers/journeys/post-work';
import { resumeWork } from '../../consumers/journeys/resume-work';
import { stepWork } from '../../consumers/journeys/step-work';
import { confirmExpiry } from '../../consumers/opt-ins/confirm-expiry';
import { confirmMail } from '../../consumers/opt-ins/confirm-mail';
import { deliverWork } from '../../consumers/webhooks/deliver-work';
import { replayWork } from '../../consumers/webhooks/replay-work';
import type { DueKind } from '../../stores/ports/due-payloads';
import type { Config } from '../../operations/config/config';
import type { Services } from '../shared-services';
import type { StartContext } from './start-context';
import type { Part } from '../core/part';
import { openWebhookRequests, type WebhookRequests } from './webhook-requests';

/** What handlers are made of. */
type Parts = Services &
  Services['engine'] &
  WebhookRequests &
  Pick<Config, 'alarms'> & { accept: AcceptDeps; brakePercent: number; wakeSteps: () => void };

/** The handler of each kind of due work. */
const HANDLERS: { readonly [K in DueKind]: (parts: Parts) => DueHandler<K> } = {
  webhook: deliverWork,
  'webhook-replay': replayWork,
  campaigns: driveWork,
  'campaign-starts': startWork,
  'journey-step': stepWork,
  'journey-resume': resumeWork,
  'journey-post': postWork,
  'journey-goal': goalWork,
  'confirm-mail': confirmMail,
  'confirm-expiry': confirmExpiry,
  conversion: settleWork,
  'alarm-notice': noticeWork,
};

type Runner = Pick<DueRunner, 'start' | 'wake' | 'stop' | 'isIdle' | 'nextDue'>;

/** The due work of a role: one runner for each of its kinds, which can be woken. */
export function dueWorkPart(
  starting: StartContext,
  role: DueWorkSpec['role'],
): Part & { wake: (kind: DueKind) => void } {
  const { services } = starting;
  const { engine, wrap, config } = services;
  const requests = (starting.webhookRequests ??= openWebhookRequests(services));
  const runners = new Map<string, Runner>();
  const wake = (kind: DueKind): void => runners.get(kind)?.wake();
  const parts: Parts = {
    ...services,
    ...engine,
    ...requests,
    accept: { ...services, ...engine },
    alarms: config.alarms,
    brakePercent: config.campaignBrakePercent,
    wakeSteps: () => wake('journey-step'),
  };
  const deps = { ...parts, work: services.health.work, isTravelling: () => starting.travel?.progress != null };
  const add = <K extends DueKind>(kind: K, spec: DueWorkSpec, handler: DueHandler<K>): void => {
    if (spec.role === role) runners.set(kind, new DueRunner(deps, kind, spec, handler));
  };
  const addKind = <K extends DueKind>(kind: K): void => add<K>(kind, DUE_WORK[kind], HANDLERS[kind](parts));
  for (const kind of DUE_KINDS) addKind(kind);
  for (const { kind, spec, handler } of wrap.dueWork?.(services) ?? []) add(kind, spec, handler);
  const all = [...runners.values()];
  return {
    name: `due work of ${role}`,
    start: async () => all.forEach((runner) => runner.start()),
    stop: async () => void (await Promise.all(all.map((runner) => runner.stop()))),
    isIdle: async () => !(await Promise.all(all.map((runner) => runner.isIdle()))).includes(false),
    nextDue: async () => {
      const due = (await Promise.all(all.map((runner) => runner.nextDue()))).filter((at) => at !== null);
      return due.length === 0 ? null : Math.min(...due);
    },
    wake,
  };
}
