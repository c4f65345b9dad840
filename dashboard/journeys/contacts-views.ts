import type { ShownStep } from '../../operations/journeys/journey-view';
import { filterForm } from '../kit/filters';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { button, facts, fault, further, stateTag, table, tag, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { flat, kindText, outcomeText, reasonText, standText, stepText } from './labels';
import type { DoneStep, Enrolled, Enrollments, Post, ShownJourney } from './read';
import { pathOf } from './views';

const TONES = { active: 'warn', completed: 'good', left: '' } as const;
const standTag = ({ t }: Visit, { status }: Enrolled): Html => tag(standText(t, status), TONES[status]);
const whoIs = ({ t }: Visit, email: string | null): string => email ?? t.journeysErased;

const backLink = (visit: Visit, { id, name }: ShownJourney): Html =>
  html`<p><a href="${pathOf(visit, id)}">${name}</a></p>`;

/** Everybody who entered, and a way to find one of them. */
export function contactsView(
  visit: Visit,
  journey: ShownJourney,
  { data, next_after: next }: Enrollments,
  why: string | null,
): Html {
  const { t, query } = visit;
  const path = `${pathOf(visit, journey.id)}/contacts`;
  const who = (of: Enrolled): Html =>
    of.email === null ? html`${t.journeysErased}` : html`<a href="${path}/${of.contact_id}">${of.email}</a>`;
  const columns = [
    { title: t.journeysContact, cell: who },
    { title: t.journeysStatus, cell: (of: Enrolled) => standTag(visit, of) },
    { title: t.journeysReason, cell: (of: Enrolled) => of.reason && reasonText(t, of.reason) },
    { title: t.journeysNext, cell: (of: Enrolled) => (of.status === 'active' ? of.step : null) },
    { title: t.journeysDue, is: 'time' as const, cell: (of: Enrolled) => time(t, of.due_at) },
    { title: t.journeysGoalReached, cell: (of: Enrolled) => (of.goal_reached ? t.yes : null) },
    { title: t.journeysEntered, is: 'time' as const, cell: (of: Enrolled) => time(t, of.enrolled_at) },
  ];
  return html`<h1>${t.journeysContacts}</h1>
    ${backLink(visit, journey)}${fault(why)}${filterForm(t, path, [{ name: 'email', label: t.journeysFind }], query)}
    ${why === null ? table(t.journeysContacts, data, columns, t.journeysNobody) : NOTHING}
    ${further(t, path, { after: next })}`;
}

/** The path of one contact, step by step. */
export function pathView(visit: Visit, journey: ShownJourney, of: Enrolled): Html {
  const { t, csrf } = visit;
  // Another version may have other steps under the same numbers.
  const steps = of.version === journey.version ? flat(journey.steps) : [];
  return html`<h1>${filled(t.journeysPath, { email: whoIs(visit, of.email) })}</h1>
    ${backLink(visit, journey)}
    ${
      of.version !== journey.version &&
      html`<p class="soft">${filled(t.journeysOldVersion, { version: of.version, newest: journey.version })}</p>`
    }
    ${facts([
      [t.journeysStatus, standTag(visit, of)],
      [t.journeysReason, of.reason && reasonText(t, of.reason)],
      [t.journeysGoalReached, of.goal_reached ? t.yes : t.no],
    ])}
    <h2>${t.journeysSteps}</h2>
    <div class="panel">
      <ol class="story">
        <li>${time(t, of.enrolled_at)}${t.journeysEntered}</li>
        ${of.steps.map((done) => doneView(visit, done, steps))}${endView(visit, of, steps)}
      </ol>
    </div>
    ${
      of.status === 'active' &&
      of.email !== null &&
      mayHere(visit, 'editor') &&
      button(csrf, {
        to: `${pathOf(visit, journey.id)}/remove`,
        label: t.journeysTakeOut,
        confirm: t.journeysTakeOutSure,
        fields: { email: of.email },
        kind: 'danger',
      })
    }`;
}

function doneView({ t, base }: Visit, done: DoneStep, steps: readonly ShownStep[]): Html {
  const known = steps.find(({ step }) => step === done.step);
  return html`<li class="${done.outcome === 'refused' ? 'bad' : ''}">
    ${time(t, done.at)}<b>${done.step} · ${kindText(t, done.type)}</b> ${known && stepText(t, known)}
    <div>
      ${outcomeText(t, done)}${done.reason && `: ${done.reason}`}
      ${done.message_id && html`<a href="${base}/messages/${done.message_id}">${t.journeysMessage}</a>`}
    </div>
  </li>`;
}

function endView(
  { t }: Visit,
  { status, step: n, due_at: due, ended_at: ended, reason }: Enrolled,
  steps: readonly ShownStep[],
): Html {
  if (status === 'active') {
    const known = steps.find(({ step }) => step === n);
    const step = known ? `${n} · ${kindText(t, known.type)} ${stepText(t, known)}` : n;
    return html`<li class="next">${time(t, due)}${filled(t.journeysWaitsFor, { step })}</li>`;
  }
  const how = reason === null ? standText(t, status) : reasonText(t, reason);
  return html`<li>${time(t, ended)}${filled(t.journeysEndedAs, { how })}</li>`;
}

/** The calls of webhook steps. */
export function postsView(visit: Visit, journey: ShownJourney, rows: readonly Post[]): Html {
  const { t } = visit;
  return html`<h1>${t.journeysPosts}</h1>
    ${backLink(visit, journey)}
    <p class="soft">${t.journeysPostsNote}</p>
    ${table(
      t.journeysPosts,
      rows,
      [
        { title: t.journeysContact, cell: ({ email }) => whoIs(visit, email) },
        { title: t.journeysStep, is: 'number', cell: ({ step }) => step },
        { title: t.journeysStatus, cell: ({ state }) => stateTag(t, state) },
        { title: t.journeysAttempts, is: 'number', cell: ({ attempts }) => attempts.length },
        { title: t.journeysAnswer, cell: ({ attempts }) => answerOf(attempts.at(-1)) },
        { title: t.journeysAt, is: 'time', cell: (of) => time(t, of.created_at) },
      ],
      t.journeysNoPosts,
    )}`;
}

const answerOf = (last: Post['attempts'][number] | undefined): string | null =>
  last ? [last.status, last.error, last.answer].filter(Boolean).join(' ') : null;
