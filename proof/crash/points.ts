import type { MessageStatus } from '../../domain/messages/message';
import type { Kind } from './sink/behaviour';
import type { SmtpMoment } from './smtp-relay';

/** What happens in the run that dies. */
export type Activity =
  /** A mail is sent and followed to its end. Time is advanced while the mail waits. */
  | 'send'
  /** Several mails are sent in one request, accepted in one commit, and followed to their end. */
  | 'send batch'
  /** A mail to several recipients comes in by the relay, again until it is taken, and is followed to its end. */
  | 'relay send'
  /** A task falls due, is postponed once, then accepts a mail, which is followed to its end. */
  | 'due send'
  /** A contact is put into an audience, and a campaign to it is started and followed until it is completed. */
  | 'campaign'
  /** A contact enters a journey, which is paused for a moment later, and does all steps of it. */
  | 'journey'
  /** A contact subscribes by a form with double opt-in, gets the mail, confirms, and does all steps of a journey. */
  | 'opt-in'
  /** A send to a malformed address, which costs a penalty. */
  | 'forced send'
  /** A mail is sent and delivered, and the recipient opens it. */
  | 'open'
  /** A mail is sent and delivered, its link is clicked, and a sale is reported until it is linked. */
  | 'sale'
  /** The same, and the sale is reported before the click. */
  | 'early sale'
  /** A mail is sent and delivered, and a sale is reported without a click, until it is removed after an hour. */
  | 'lost sale'
  /** A mail is sent and delivered, and a webhook delivers that event. */
  | 'webhook'
  /** The same, and the endpoint answers 500 first. */
  | 'refused webhook';

/** A moment in the life of a message at which the process dies. */
export interface CrashPoint {
  /** `<step>/<moment>`; unique. */
  name: string;
  /** An operation of a port, or a moment of the SMTP dialogue. */
  at: { operation: string; nth: number; when: 'before' | 'after' } | { smtp: SmtpMoment };
  activity: Activity;
  recipient: Kind;
  /** The point at which an earlier run dies, when this point belongs to the start after that death. */
  first: string | null;
  /**
   * The status on disk at the moment of death; null: no message yet. Several values, or none, where other parts of the
   * service change it too.
   */
  statusOnDisk: Found;
  /** With a webhook: how many attempts its delivery has in the end, each claim counted. One of several values. */
  attempts: readonly number[];
}

type Found = readonly (MessageStatus | null)[];
type Moment = 'before' | 'after';
interface Where {
  recipient?: Kind;
  nth?: number;
  activity?: Activity;
  first?: string;
  attempts?: Record<Moment, readonly number[]>;
}

/** The two moments around an operation of a port, each with the status on disk. */
function around(
  step: string,
  operation: string,
  found: Record<Moment, Found>,
  { recipient = 'delivered', nth = 1, activity = 'send', first, attempts }: Where = {},
): CrashPoint[] {
  return (['before', 'after'] as const).map((when) => ({
    name: `${step}/${when}`,
    at: { operation, nth, when },
    activity,
    recipient,
    first: first ?? null,
    statusOnDisk: found[when],
    attempts: attempts?.[when] ?? [],
  }));
}

/** A moment of the SMTP dialogue. */
const smtp = (moment: SmtpMoment, found: MessageStatus): CrashPoint => ({
  name: `smtp/${moment}`,
  at: { smtp: moment },
  activity: 'send',
  recipient: 'delivered',
  first: null,
  statusOnDisk: [found],
  attempts: [],
});

/** A moment of a webhook, after its message was delivered; with the attempts that its delivery then has in the end. */
const webhook = (
  step: string,
  operation: string,
  [before, after]: readonly [readonly number[], readonly number[]],
  where: Pick<Where, 'nth' | 'activity'> = {},
): CrashPoint[] =>
  around(step, operation, both('delivered'), { activity: 'webhook', attempts: { before, after }, ...where });

const becomes = (before: MessageStatus | null, ...after: Found): Record<Moment, Found> => ({ before: [before], after });
const both = (...found: Found): Record<Moment, Found> => ({ before: found, after: found });

/** Every named crash point, in the order in which a message passes them. A test crashes at each of them. */
export const CRASH_POINTS: readonly CrashPoint[] = [
  ...around('accept commit', 'messages.accept', becomes(null, 'queued', 'sending')),
  ...around('accept commit of a batch', 'messages.accept', becomes(null, 'queued', 'sending'), {
    activity: 'send batch',
  }),
  ...around('relay recipient', 'suppressions.reason', both(null), { activity: 'relay send' }),
  ...around('relay commit', 'messages.accept', becomes(null, 'queued', 'sending'), { activity: 'relay send' }),
  ...around('penalty of a forced send', 'log.publish:coins.entries', both(null), { activity: 'forced send' }),
  ...around('wake-up read', 'log.throttle.poll', both('queued', 'sending')),
  ...around('shard lease', 'leases.acquire', both('queued', 'sending'), { first: 'accept commit/after' }),
  ...around('claim', 'queue.claim', becomes('queued', 'sending')),
  ...around('wake-up cursor', 'log.throttle.commit', both(), { first: 'wake-up read/after' }),
  ...around('dispatch read', 'log.dispatch.poll', both('sending')),
  ...around('job load', 'messages.job', both('sending')),
  ...around('signing key', 'domains.get', both('sending'), { nth: 2 }),
  ...around('hand-off', 'transport.handOff', becomes('sending', 'sending'), { recipient: 'norecord' }),
  smtp('connected', 'sending'),
  smtp('MAIL', 'sending'),
  smtp('RCPT', 'sending'),
  smtp('DATA', 'sending'),
  smtp('354 received', 'sending'),
  ...around('fence', 'messages.change:fence', both('sending')),
  smtp('body half way', 'sending'),
  smtp('before the final dot', 'sending'),
  smtp('after the final dot', 'sending'),
  smtp('250 received', 'sending'),
  ...around('outcome: taken', 'messages.change:sent_to_mta', becomes('sending', 'sent_to_mta'), {
    recipient: 'norecord',
  }),
  ...around('outcome: not now', 'messages.change:queued', becomes('sending', 'queued'), { recipient: 'softbounce' }),
  ...around('outcome: never', 'messages.change:failed', becomes('sending', 'failed'), { recipient: 'reject' }),
  ...around('refund', 'coins.post:refund', both('failed'), { recipient: 'reject' }),
  ...around('dispatch cursor', 'log.dispatch.commit', both('sent_to_mta'), { recipient: 'norecord' }),
  ...around('report intake', 'log.publish:mta.feedback', both('sent_to_mta')),
  ...around('report read', 'log.mta-feedback.poll', both('sent_to_mta')),
  ...around('suppression', 'suppressions.add', both('sent_to_mta'), { recipient: 'hardbounce' }),
  ...around('contact status', 'contacts.raiseStatus', both('sent_to_mta'), { recipient: 'hardbounce' }),
  ...around('report applied', 'messages.change:delivered', becomes('sent_to_mta', 'delivered')),
  ...around('bounce applied', 'messages.change:bounced', becomes('sent_to_mta', 'bounced'), {
    recipient: 'hardbounce',
  }),
  ...around('penalty', 'coins.post:penalty', both('bounced'), { recipient: 'hardbounce' }),
  ...around('coins cursor', 'log.coins.commit', both('bounced'), { recipient: 'hardbounce' }),
  ...around('report cursor', 'log.mta-feedback.commit', both('delivered')),
  ...around('open recorded', 'log.publish:engagement.hits', both('delivered'), { activity: 'open' }),
  ...around('open counted', 'signals.store', both('delivered'), { activity: 'open' }),
  ...around('sale: reported', 'conversions.accept', both('delivered'), { activity: 'sale' }),
  ...around('sale: read', 'log.conversions.poll', both('delivered'), {
    activity: 'sale',
    first: 'sale: reported/after',
  }),
  ...around('sale: linked', 'conversions.link', both('delivered'), { activity: 'sale' }),
  ...around('sale: cursor', 'log.conversions.commit', both('delivered'), {
    activity: 'sale',
    first: 'sale: linked/after',
  }),
  ...around('sale: click read', 'conversions.affectedBy', both('delivered'), { activity: 'early sale' }),
  ...around('sale: linked by its click', 'conversions.link', both('delivered'), { activity: 'early sale', nth: 2 }),
  ...around('sale: removed', 'conversions.settle', both('delivered'), { activity: 'lost sale' }),
  ...webhook('event read', 'log.webhooks.poll', [[1], [1]]),
  ...webhook('fan-out', 'deliveries.fanOut', [[1], [1]]),
  // Meanwhile the delivery may be claimed.
  ...webhook('event cursor', 'log.webhooks.commit', [
    [1, 2],
    [1, 2],
  ]),
  ...webhook('webhook claimed', 'dueTasks.claim:webhook', [[1], [2]]),
  ...webhook('webhook sent', 'webhookSender.send', [[2], [2]]),
  ...webhook('webhook finished', 'deliveries.finish:delivered', [[2], [1]]),
  ...webhook('webhook success noted', 'webhooks.report', [[1], [1]]),
  ...webhook('webhook put off', 'deliveries.finish:waiting', [[2], [2]], { activity: 'refused webhook' }),
  ...webhook('webhook failure noted', 'webhooks.report', [[2], [2]], { activity: 'refused webhook' }),
  ...webhook('webhook claimed again', 'dueTasks.claim:webhook', [[2], [3]], { activity: 'refused webhook', nth: 2 }),
  ...around('no record', 'messages.change:failed', becomes('sent_to_mta', 'failed'), { recipient: 'norecord' }),
  ...around('due work scheduled', 'dueTasks.schedule:crash.send', both(null), { activity: 'due send' }),
  ...around('due work claimed', 'dueTasks.claim:crash.send', both(null), { activity: 'due send' }),
  ...around('due work put off', 'dueTasks.finish:crash.send', both(null), { activity: 'due send' }),
  ...around('due work finished', 'dueTasks.finish:crash.send', both('queued', 'sending'), {
    activity: 'due send',
    nth: 2,
  }),
  ...around('campaign: start', 'campaignRuns.start', both(null), { activity: 'campaign' }),
  ...around('campaign: manifest', 'campaignRuns.expand', both(null), { activity: 'campaign' }),
  ...around('campaign: messages', 'campaignRuns.feed', becomes(null, 'queued', 'sending'), { activity: 'campaign' }),
  ...around('campaign: end', 'campaignRuns.move', both('delivered'), { activity: 'campaign' }),
  ...around('journey: enrollment', 'journeyRuns.enroll', both(null), { activity: 'journey' }),
  ...around('journey: steps read', 'journeyRuns.open', both(null), { activity: 'journey' }),
  ...around('journey: mail', 'messages.accept', becomes(null, 'queued', 'sending'), { activity: 'journey' }),
  // The steps behind the mail, which is under way.
  ...around('journey: steps written', 'journeyRuns.advance', both(), { activity: 'journey' }),
  ...around('journey: list joined', 'audiences.join', both(), { activity: 'journey' }),
  ...around('journey: end written', 'journeyRuns.advance', both(), { activity: 'journey', nth: 2 }),
  ...around('journey: goes on', 'journeyRuns.resume', both(), { activity: 'journey' }),
  ...around('opt-in: subscription', 'optIns.subscribe', both(null), { activity: 'opt-in' }),
  ...around('opt-in: mail', 'messages.accept', becomes(null, 'queued', 'sending'), { activity: 'opt-in' }),
  // The mail is under way.
  ...around('opt-in: mail finished', 'dueTasks.finish:confirm-mail', both(), { activity: 'opt-in' }),
  ...around('opt-in: confirmation', 'optIns.confirm', both('delivered'), { activity: 'opt-in' }),
  ...around('deadlines', 'deadlines.overdue', both('queued', 'sending'), { first: 'accept commit/after' }),
  ...around('log trim', 'log.trim', both(), { first: 'accept commit/after' }),
  ...around('recovery: look', 'deadlines.pastFence', both('sending'), { first: 'smtp/250 received' }),
  ...around('recovery: unknown', 'messages.change:unknown', both('sending'), { first: 'smtp/250 received' }),
  ...around('recovery: dispatch again', 'log.publish:messages.dispatch', both('sending'), { first: 'job load/before' }),
];
