import type { LineFault } from '../../schemas/journeys/faults';
import type { ShownStep as Step } from '../../operations/journeys/journey-view';
import { html, NOTHING, type Html } from '../kit/html';
import { button, fault, time, withQuery } from '../kit/components';
import type { Visit } from '../kit/screen';
import { placeOf } from '../../schemas/journeys/file-faults';
import { filled } from '../texts/texts';
import { drawing } from './drawing';
import { asSteps, type Editing } from './editor-read';
import { goalText, kindText, triggerText } from './labels';
import type { ShownJourney } from './read';
import { stepList } from './step-list';
import { STEP_TYPES } from './step-form';
import { pathOf } from './views';

/** The address of the editor of a journey. */
export const editorPath = (visit: Visit, { id }: Pick<ShownJourney, 'id'>): string => `${pathOf(visit, id)}/edit`;

/** What is wrong with a file, with the lines that it is about. */
export function faultsView({ t, language }: Visit, errors: readonly LineFault[], text: string): Html {
  if (errors.length === 0) return NOTHING;
  const lines = text.split('\n');
  const shown = ({ line, reason }: LineFault): Html => {
    const written = lines[line - 1]?.trim() ?? '';
    return html`<li>
      <b>${filled(t.journeysLine, { line })}</b> ${reason.in(language)}${written && html`<br /><code>${written.slice(0, 200)}</code>`}
    </li>`;
  };
  return html`<div class="notice bad" role="alert"><b>${t.journeysFaults}</b><ul>${errors.map(shown)}</ul></div>`;
}

const stepFaults = ({ language }: Visit, errors: readonly LineFault[], { step }: Step): Html[] =>
  errors
    .map(({ reason }) => placeOf(reason))
    .filter((of) => of.step === step)
    .map(({ fault: one }) => html`<p class="fault">${one.in(language)}</p>`);

function stepActs(visit: Visit, { journey, revision, errors }: Editing, step: Step): Html {
  const { t, csrf } = visit;
  const path = editorPath(visit, journey);
  const act = (name: string, label: string, confirm?: string): Html =>
    button(csrf, {
      to: `${path}/move`,
      label: html`${label}<span class="sr"> ${filled(t.journeysOfStep, { step: step.step })}</span>`,
      fields: { do: name, step: step.step, revision },
      ...(confirm ? { confirm, kind: 'danger' as const } : {}),
    });
  const link = (to: string, label: string): Html =>
    html`<a href="${to}">${label}<span class="sr"> ${filled(t.journeysOfStep, { step: step.step })}</span></a>`;
  const way = (name: 'then' | 'else', steps: readonly Step[], answer: string): Html =>
    steps.length > 0
      ? NOTHING
      : link(withQuery(`${path}/step`, { in: step.step, way: name }), filled(t.journeysAddIf, { answer }));
  return html`${stepFaults(visit, errors, step)}
    <div class="acts small">
      ${link(withQuery(`${path}/step`, { step: step.step }), t.journeysChange)}
      ${act('up', t.journeysUp)}${act('down', t.journeysDown)}
      ${link(withQuery(`${path}/step`, { after: step.step }), t.journeysAddBelow)}
      ${act('remove', t.journeysRemove, step.type === 'branch' ? t.journeysRemoveSure : undefined)}
      ${step.type === 'branch' && html`${way('then', step.then, t.yes)}${way('else', step.else, t.no)}`}
    </div>`;
}

/** The steps of the next version, each with what can be done to it. */
export function editorView(visit: Visit, of: Editing, refused: string | null): Html {
  const { t, csrf } = visit;
  const { journey, next, revision, errors, text } = of;
  const path = editorPath(visit, journey);
  const { draft } = journey;
  const links = html`<p class="acts">
    <a href="${path}/settings">${t.journeysChangeSettings}</a> <a href="${path}/text">${t.journeysAsText}</a>
    <a href="${pathOf(visit, journey.id)}/dry-run">${t.journeysDryRun}</a>
    <a href="${pathOf(visit, journey.id)}">${t.journeysBack}</a>
  </p>`;
  const state = draft
    ? html`<p>
          ${filled(t.journeysDraftBy, { who: draft.changed_by })} ${time(t, draft.changed_at)}.
          ${journey.status === 'draft' ? t.journeysDraftNote : t.journeysDraftNoteLive}
        </p>
        ${
          draft.from_version !== journey.version &&
          html`<p class="notice warn">
            ${filled(t.journeysDraftOld, { version: draft.from_version, newest: journey.version })}
          </p>`
        }
        <div class="acts">
          ${
            errors.length > 0
              ? html`<p>${t.journeysMend}</p>`
              : button(csrf, { to: `${path}/publish`, label: t.journeysPublish, kind: 'main', fields: { revision } })
          }
          ${button(csrf, { to: `${path}/discard`, label: t.journeysDiscard, confirm: t.journeysDiscardSure, kind: 'danger' })}
        </div>`
    : html`<p class="soft">${t.journeysNoDraft}</p>`;
  if (!next) {
    return html`<h1>${filled(t.journeysEditing, { name: journey.name })}</h1>
      ${fault(refused)}${links}${state}${faultsView(visit, errors, text)}
      <p>${t.journeysOnlyText}</p>`;
  }
  const steps = asSteps(next.steps, of);
  const general = errors.filter(({ reason }) => placeOf(reason).step === null);
  const audience = next.audience === undefined ? undefined : (of.audiences.get(Number(next.audience)) ?? next.audience);
  const { goal = null } = next;
  const enters = triggerText(t, next.trigger, audience);
  return html`<h1>${filled(t.journeysEditing, { name: next.name })}</h1>
    ${fault(refused)}${links}${state}${faultsView(visit, general, text)}
    <div class="split">
      <div>
        <h2>${t.journeysSteps}</h2>
        <p class="soft">${t.journeysTrigger}: ${enters}${goal && ` · ${t.journeysGoal}: ${goalText(t, goal)}`}</p>
        ${stepList(t, steps, (step) => stepActs(visit, of, step))}
        ${addAtEnd(visit, path, steps)}
      </div>
      <div>${drawing(t, { name: next.name, enters, goal, steps })}</div>
    </div>`;
}

/** A button for each kind of step that can follow the last one. */
const addAtEnd = ({ t }: Visit, path: string, steps: readonly Step[]): Html =>
  html`<p><b>${t.journeysAddEnd}</b></p>
    <p class="acts">
      ${STEP_TYPES.map((type) => {
        const to = withQuery(`${path}/step`, { after: steps.at(-1)?.step ?? 0, type });
        return html`<a class="button plain" href="${to}">${kindText(t, type)}</a>`;
      })}
    </p>`;

/** What kind of step is to be added. `query` says where. */
export const kindsView = (visit: Visit, path: string, query: Readonly<Record<string, string>>): Html =>
  html`<h1>${visit.t.journeysAddStep}</h1>
    <ul class="cards">
      ${STEP_TYPES.map(
        (type) =>
          html`<li class="card">
            <a href="${withQuery(`${path}/step`, { ...query, type })}"
              ><b>${kindText(visit.t, type)}</b><small>${visit.t[ABOUT[type]]}</small></a
            >
          </li>`,
      )}
    </ul>
    <p><a href="${path}">${visit.t.back}</a></p>`;

const ABOUT = {
  email: 'journeysAboutEmail',
  wait: 'journeysAboutWait',
  branch: 'journeysAboutBranch',
  webhook: 'journeysAboutWebhook',
  add_to_audience: 'journeysAboutJoin',
} as const;
