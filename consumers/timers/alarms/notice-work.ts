import type { AcceptDeps } from '../../../operations/messages/accept/accept-deps';
import { acceptMessage } from '../../../operations/messages/accept/accept-messages';
import { Refusal } from '../../../operations/messages/accept/refusal';
import { signedHeaders } from '../../../operations/webhooks/client/sign';
import type { WebhookSender } from '../../../operations/webhooks/client/webhook-sender';
import { maskAddresses } from '../../../domain/addresses/mask-addresses';
import type { AlarmNotice, AlarmWay, NoticeEvent } from '../../../domain/alarms/alarm';
import type { AlarmSettings } from '../../../domain/alarms/alarm-settings';
import { alarmMail } from '../../../email/alarm-mail';
import { HOUR, MINUTE } from '../../../lib/clock';
import type { Logger } from '../../../lib/logger';
import { ALARM_NOTICES } from '../../../operations/alarms/list-alarms';
import { alarmPayload } from '../../../operations/alarms/alarm-payload';
import type { Stores } from '../../../stores/ports';
import { done, type EachTask } from '../../due-work/due-work';

export interface NoticeDeps extends Omit<AcceptDeps, 'stores'> {
  stores: AcceptDeps['stores'] & {
    records: Pick<Stores['records'], 'get' | 'change'>;
    domains: Pick<Stores['domains'], 'findByName'>;
    workspaces: Pick<Stores['workspaces'], 'get'>;
  };
  alarms: AlarmSettings;
  /** Reaches the operator's URL, which may be private. */
  alarmSender: Pick<WebhookSender, 'send'>;
  installationId: string;
  dashboardUrl: () => string;
  logger: Pick<Logger, 'warn'>;
}

/** Between two attempts, ms; then hourly. */
const WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE];
const MAX_ATTEMPTS = 24;

/** Why a notice did not go out; `isFinal`: it never will. */
interface Failure {
  reason: string;
  isFinal: boolean;
}

type Say = (deps: NoticeDeps, id: string, notice: AlarmNotice) => Promise<Failure | null>;

/**
 * Brings a notice to the operator in one way; the id of its task is `<notice>:<way>`. At least once: each attempt has
 * the id of the notice, so receivers know a repeat, and the mail is made once. A failure is kept with the notice.
 */
export const noticeWork = (deps: NoticeDeps): EachTask<'alarm-notice'> => ({
  each: async ({ id, attempt }) => {
    const [notice = '', way] = id.split(':') as [string, AlarmWay];
    const { records } = deps.stores;
    const now = deps.clock.now();
    const entry = await records.get(ALARM_NOTICES, notice, now);
    if (!entry) return done;
    const failure = await WAYS[way](deps, notice, entry.body);
    const reason = failure && maskAddresses(failure.reason);
    await note(deps, notice, way, reason);
    if (!failure || reason === null) return done;
    deps.logger.warn(
      { alarm: entry.body.alarm.kind, way, reason, attempt },
      'an alarm could not be delivered to the administrator',
    );
    if (failure.isFinal || attempt >= MAX_ATTEMPTS) return { kind: 'given up', reason };
    return { kind: 'again', next: { dueAt: now + (WAITS[attempt - 1] ?? HOUR) } };
  },
});

const post: Say = async ({ alarms, alarmSender, clock, installationId }, id, notice) => {
  if (alarms.post === null) return null;
  const { url, secret } = alarms.post;
  const body = Buffer.from(JSON.stringify(alarmPayload(notice, installationId)));
  const { error } = await alarmSender.send({
    url,
    headers: signedHeaders({ secret, id, at: clock.now(), body }),
    body,
  });
  return error === null ? null : { reason: error, isFinal: false };
};

const WORDS: Readonly<Record<NoticeEvent, string>> = {
  raised: 'Alarm',
  repeated: 'Alarm still active',
  ended: 'Alarm resolved',
};

const mail: Say = async (deps, id, { event, alarm }) => {
  const { stores, alarms, dashboardUrl } = deps;
  if (alarms.mail === null) return null;
  const { to, sender } = alarms.mail;
  const domain = await stores.domains.findByName(sender);
  const workspace = domain && (await stores.workspaces.get(domain.workspaceId));
  if (!workspace || domain.status !== 'active' || workspace.suspended || !workspace.emailModule) {
    return { reason: `${sender} is not an active sending domain of a workspace that can send.`, isFinal: false };
  }
  const since = `Raised at ${new Date(alarm.raisedAt).toISOString()}.`;
  const subject = `[Kurir] ${WORDS[event]}: ${alarm.kind.replaceAll('_', ' ')} ${alarm.subject}`;
  const lines = [`${WORDS[event]}: ${alarm.text}`, since];
  const accepted = await acceptMessage(deps, {
    sender: { workspace, domain },
    draft: { channel: 'app', lane: 'transactional', category: 'transactional', subject },
    recipient: { address: to, ofService: true },
    body: alarmMail(lines, `${dashboardUrl()}/app/health`),
    idempotencyKey: `alarm:${id}`,
  });
  if (!(accepted instanceof Refusal)) return null;
  // A repeat would cost a penalty each time.
  return { reason: accepted.message, isFinal: accepted.reason !== 'no_coins' };
};

const WAYS: Readonly<Record<AlarmWay, Say>> = { url: post, mail };

/** Keeps why a notice has not arrived in a way; null: it has. */
async function note({ stores, clock }: NoticeDeps, id: string, way: AlarmWay, reason: string | null): Promise<void> {
  const noted = (notice: AlarmNotice | null) => {
    if (!notice || (notice.failing[way] ?? null) === reason) return null;
    const { [way]: _before, ...others } = notice.failing;
    return { ...notice, failing: reason === null ? others : { ...others, [way]: reason } };
  };
  await stores.records.change(ALARM_NOTICES, id, noted, { now: clock.now() });
}
