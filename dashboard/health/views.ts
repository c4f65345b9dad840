import { BASE } from '../kit/cookies';
import { formOf, type Sent } from '../kit/forms';
import { html, type Html } from '../kit/html';
import { button, card, count, facts, fault, fileSize, further, stateTag, table, tag, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import type { AnswerOf } from '../../operations/definition';
import type { DOCTOR } from '../../operations/doctor/doctor';
import { WARMUP } from '../../operations/installation/installation';
import { filled } from '../texts/texts';
import { wordOf } from '../texts/word-of';
import { auditPart } from './audit-view';
import { needs, type Health } from './needs';

const PATH = `${BASE}/health`;

function waiting({ t, language }: Visit, { waiting: of, rates }: Health): Html {
  const n = (figure: number): string => count(figure, language);
  const cap = rates.platform_cap;
  return html`<h2>${t.healthWaiting}</h2>
    ${table(
      t.healthWaiting,
      of.lanes,
      [
        { title: t.healthLane, cell: ({ lane }) => wordOf(t, lane) },
        { title: t.healthDue, is: 'number', cell: ({ due }) => n(due) },
        { title: t.healthOldest, is: 'time', cell: ({ oldest_due_at: at }) => time(t, at) },
        { title: t.healthLater, is: 'number', cell: ({ later }) => n(later) },
      ],
      t.none,
    )}
    <ul class="cards">
      ${card(
        t.healthSentToday,
        n(rates.platform_sent_today),
        cap === null ? t.healthSentAbout : filled(t.healthSentOf, { cap: n(cap) }),
        `${BASE}/queues`,
      )}
      ${card(t.healthInHand, n(of.claimed), t.healthInHandAbout)}
      ${card(t.healthAwaiting, n(of.awaiting_report), t.healthAwaitingAbout)}
      ${card(t.healthOutbox, n(of.outbox), t.healthOutboxAbout)}
    </ul>`;
}

const groups = ({ t, language }: Visit, of: Health): Html =>
  html`<h2>${t.healthGroups}</h2>
    ${table(
      t.healthGroups,
      of.groups,
      [
        { title: t.healthGroup, cell: ({ group }) => group },
        { title: t.healthTopic, cell: ({ topic }) => topic },
        { title: t.healthLag, is: 'number', cell: ({ lag }) => count(lag, language) },
        { title: t.healthSince, is: 'time', cell: ({ behind_since: at }) => time(t, at) },
      ],
      t.none,
    )}`;

const processes = ({ t, language }: Visit, of: Health): Html =>
  html`<h2>${t.healthProcesses}</h2>
    ${table(
      t.healthProcesses,
      of.processes,
      [
        { title: t.healthProcess, cell: ({ name }) => name },
        { title: t.healthVersion, cell: ({ version }) => version },
        { title: t.healthStarted, is: 'time', cell: ({ started_at: at }) => time(t, at) },
        { title: t.healthClock, is: 'number', cell: (one) => count(one.clock_ahead_ms, language) },
      ],
      t.healthNoProcess,
    )}`;

/** A switch of the operator: its state, and the button that turns it. */
function switchOf({ t, csrf }: Visit, what: 'api' | 'module', isOn: boolean): Html {
  const turn = button(csrf, {
    to: `${PATH}/switch`,
    label: isOn ? t.healthSwitchOff : t.healthSwitchOn,
    fields: { what, state: isOn ? 'off' : 'on' },
    kind: isOn ? 'danger' : 'plain',
    ...(isOn && { confirm: what === 'api' ? t.healthApiSure : t.healthModuleSure }),
  });
  return html`<span class="acts">${isOn ? tag(t.healthOn, 'good') : tag(t.healthOff, 'bad')}${turn}</span>`;
}

function installation(visit: Visit, of: Health, sent: Sent | null): Html {
  const { t, language } = visit;
  const { platform_cap: cap } = of.rates;
  const [free, total] = [of.disk?.free_bytes ?? null, of.disk?.total_bytes ?? null];
  const disk =
    free === null || total === null ? null : { free: fileSize(free, language), total: fileSize(total, language) };
  return html`<h2>${t.healthInstallation}</h2>
    ${facts([
      [t.healthVersion, `${of.version}, Node ${of.node}`],
      [t.healthEngine, of.engine],
      [t.healthFree, disk && filled(t.healthFreeOf, disk)],
      [t.healthApi, switchOf(visit, 'api', of.switches.api)],
      [t.healthModule, switchOf(visit, 'module', of.switches.module)],
    ])}
    <h3>${t.healthCap}</h3>
    <p>${cap === null ? t.healthCapNone : count(cap, language)}</p>
    ${formOf(visit, {
      operation: WARMUP.cap,
      fields: { n: { label: t.healthCapLabel } },
      to: `${PATH}/cap`,
      button: t.healthCapSet,
      values: { n: cap ?? 'off' },
      sent,
    })}`;
}

/** Is it well? */
export function healthView(visit: Visit, of: Health, sent: Sent | null = null, refused: string | null = null): Html {
  const { t } = visit;
  const open = needs(visit, of);
  return html`<h1>${t.healthTitle}</h1>
    ${fault(refused)}
    <h2>${t.healthNeeds}</h2>
    ${open.length === 0 ? html`<p class="notice">${t.healthNothing}</p>` : html`<ul class="plain">${open}</ul>`}
    <p class="acts">
      <a class="button plain" href="${PATH}/examination">${t.healthDoctor}</a>
      <a href="${PATH}/dead-letters">${t.lettersTitle}</a> <a href="${PATH}/given-up">${t.tasksTitle}</a>
    </p>
    ${waiting(visit, of)}${auditPart(visit, of.audit)}${processes(visit, of)}${groups(visit, of)}
    ${installation(visit, of, sent)}`;
}

const CHECK_TONES = { ok: 'good', note: 'warn', wrong: 'bad' } as const;

/** What the doctor found. */
export const examinationView = ({ t }: Visit, { checks, overdue }: AnswerOf<typeof DOCTOR.doctor>): Html =>
  html`<h1>${t.healthDoctorTitle}</h1>
    <p class="soft">${t.healthDoctorAbout}</p>
    ${table(
      t.healthDoctorTitle,
      checks,
      [
        { title: t.healthStatus, cell: ({ status }) => stateTag(t, status, CHECK_TONES[status]) },
        { title: t.healthCheck, cell: ({ check }) => check },
        { title: t.healthFound, cell: ({ detail }) => detail },
      ],
      t.none,
    )}
    ${
      overdue.length > 0 &&
      html`<h2>${t.healthOverdue}</h2>
        ${table(
          t.healthOverdue,
          overdue,
          [
            {
              title: t.trailWhat,
              cell: (of) =>
                html`<a href="${BASE}/w/${of.workspace_id}/messages/${of.message_id}"><code>${of.message_id}</code></a>`,
            },
            { title: t.healthOwner, cell: ({ owner }) => owner },
            { title: t.healthExpected, cell: ({ expected }) => expected },
            { title: t.healthDeadline, is: 'time', cell: ({ deadline }) => time(t, deadline) },
          ],
          t.none,
        )}`
    }`;

/** A row of what failed for good. */
export interface FailedRow {
  /** What its button sends. */
  key: string;
  what: string;
  reason: string;
  at: string;
  attempts: number | null;
  payload: string;
}

/** What failed for good, with the reason and a button that tries it again. */
export function failedView(
  { t, csrf, language }: Visit,
  of: { title: string; about: string; none: string; field: string; sure: string; path: string },
  rows: readonly FailedRow[],
  next: string | number | null,
): Html {
  const again = (fields: Record<string, string>, label: string, confirm?: string): Html =>
    button(csrf, { to: of.path, label, fields, ...(confirm && { confirm }) });
  return html`<h1>${of.title}</h1>
    <p class="soft">${of.about}</p>
    ${rows.length > 0 && html`<div class="acts">${again({ all: 'on' }, t.lettersAll, of.sure)}</div>`}
    ${table(
      of.title,
      rows,
      [
        { title: t.tasksTask, cell: ({ what }) => what },
        { title: t.lettersReason, cell: ({ reason }) => reason },
        {
          title: t.tasksAttempts,
          is: 'number',
          cell: ({ attempts }) => attempts !== null && count(attempts, language),
        },
        { title: t.tasksGivenUp, is: 'time', cell: ({ at }) => time(t, at) },
        {
          title: t.lettersValue,
          cell: ({ payload }) =>
            html`<details>
              <summary>${t.more}</summary>
              <pre>${payload}</pre>
            </details>`,
        },
        { title: t.actions, cell: ({ key }) => again({ [of.field]: key }, t.lettersRedrive) },
      ],
      of.none,
    )}
    ${further(t, of.path, { after: next })}`;
}
