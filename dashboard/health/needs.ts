import type { AnswerOf } from '../../operations/definition';
import type { HEALTH } from '../../operations/health/health';
import { BASE } from '../kit/cookies';
import { html, type Html } from '../kit/html';
import { count, filledHtml, fileSize, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled, type Language } from '../texts/texts';

export type Health = AnswerOf<typeof HEALTH.health>;

/** Behind for longer than this, a consumer has stopped, ms. */
const LATE = 60_000;
/** The share of the disk that should stay free. */
const LITTLE = 0.1;
/** Alarms that are said one by one. */
const MAX_ALARMS = 20;

/** What waits for the operator. */
export function needs({ t, language }: Visit, of: Health): Html[] {
  const notice = (text: string | Html, href: string | null = null): Html =>
    html`<li class="notice warn">${href === null ? text : html`<a href="${href}">${text}</a>`}</li>`;
  const n = (figure: number): { n: string } => ({ n: count(figure, language) });
  const now = Date.parse(of.now);
  const late = of.groups.flatMap(({ group, topic, behind_since: since }) =>
    since !== null && now - Date.parse(since) > LATE
      ? [notice(filledHtml(t.healthBehind, { group, topic, time: time(t, since) }))]
      : [],
  );
  const { last, failure } = of.audit;
  const standing = of.alarms.filter(({ ended_at: at }) => at === null);
  return [
    ...(of.switches.api ? [] : [notice(t.healthApiOff)]),
    ...(of.switches.module ? [] : [notice(t.healthModuleOff)]),
    ...(of.dead_letters > 0
      ? [notice(filled(t.healthDeadLetters, n(of.dead_letters)), `${BASE}/health/dead-letters`)]
      : []),
    ...(of.given_up_tasks > 0
      ? [notice(filled(t.healthGivenUp, n(of.given_up_tasks)), `${BASE}/health/given-up`)]
      : []),
    ...standing
      .slice(0, MAX_ALARMS)
      .map(({ text, raised_at: at }) => notice(filledHtml(t.healthAlarm, { text, time: time(t, at) }))),
    ...(standing.length > MAX_ALARMS ? [notice(filled(t.healthMoreAlarms, n(standing.length - MAX_ALARMS)))] : []),
    ...notTold(of.alarms).map((reason) => notice(filled(t.healthAlarmsFail, { reason }))),
    ...late,
    ...of.differing_settings.map((sentence) => notice(sentence)),
    ...diskNotice(of.disk, language).map((free) => notice(filled(t.healthDisk, { free }))),
    ...(last && !last.ok ? [notice(filled(t.healthAuditDiffers, n(last.differences)), '#audit')] : []),
    ...(failure
      ? [notice(filledHtml(t.healthAuditFailed, { time: time(t, failure.at), reason: failure.reason }))]
      : []),
  ];
}

/** Why alarms do not arrive, each reason once. */
const notTold = (alarms: Health['alarms']): string[] => [
  ...new Set(alarms.flatMap(({ not_arrived: { url, mail } }) => [url, mail]).filter((reason) => reason !== null)),
];

function diskNotice(disk: Health['disk'], language: Language): string[] {
  if (disk === null || disk.free_bytes === null || disk.total_bytes === null) return [];
  return disk.free_bytes < disk.total_bytes * LITTLE ? [fileSize(disk.free_bytes, language)] : [];
}
