import { JOURNEY } from '../../operations/journeys/journey';
import type { StepFields } from '../../operations/journeys/journey-view';
import { html, type Html } from '../kit/html';
import { further, tag, time } from '../kit/components';
import { page, screen, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { goalText, kindText, stepText } from './labels';
import { chosen, shown, type ShownJourney, type Version } from './read';
import { pathOf } from './views';

const CHANGES = {
  came: ['journeysCame', 'good'],
  went: ['journeysWent', 'bad'],
  changed: ['journeysChanged', 'warn'],
} as const;

/** What may differ in steps of one kind. */
const FIELDS = ['domain', 'subject', 'html', 'text', 'for', 'url', 'audience', 'if'] as const;
const MAX = 60;
const cut = (text: string): string => (text.length > MAX ? `${text.slice(0, MAX)}…` : text);

/** The fields that differ, each with what it was and is. */
function fieldsOf({ t }: Visit, before: StepFields, now: StepFields): Html {
  const valueOf = (of: Readonly<Record<string, unknown>>, name: string): unknown => of[name];
  const differ = FIELDS.filter((name) => JSON.stringify(valueOf(before, name)) !== JSON.stringify(valueOf(now, name)));
  const say = (value: unknown): string =>
    value === null || value === undefined ? '–' : cut(typeof value === 'string' ? value : JSON.stringify(value));
  return html`<ul>
    ${differ.map(
      (name) =>
        html`<li>
          <b>${name}</b> <del>${say(valueOf(before, name))}</del> <span class="sr">${t.journeysBecame}</span>
          <ins>${say(valueOf(now, name))}</ins>
        </li>`,
    )}
  </ul>`;
}

function changeView(visit: Visit, { change, before, now }: Version['changes'][number]): Html {
  const { t } = visit;
  const [word, tone] = CHANGES[change];
  const step = now ?? before;
  return html`<li>
    ${tag(t[word], tone)} ${step && html`<b>${step.step} · ${kindText(t, step.type)}</b> ${stepText(t, step)}`}
    ${before && now && fieldsOf(visit, before, now)}
  </li>`;
}

function versionView(visit: Visit, of: Version): Html {
  const { t } = visit;
  const isGoalNew = JSON.stringify(of.goal) !== JSON.stringify(of.goal_before);
  const nothing = of.changes.length === 0 && !isGoalNew;
  const goal = of.goal ? goalText(t, of.goal) : t.none;
  return html`<section class="panel">
    <h2>${filled(t.journeysVersionN, { n: of.version })}</h2>
    <p class="soft">${time(t, of.created_at)} · ${filled(t.journeysSteps1, { n: of.steps })}</p>
    ${
      nothing
        ? html`<p>${of.version === 1 ? t.journeysFirst : t.journeysSame}</p>`
        : html`<ul class="plain changes">
            ${isGoalNew && html`<li>${tag(t.journeysChanged, 'warn')} <b>${t.journeysGoal}</b> ${goal}</li>`}
            ${of.changes.map((change) => changeView(visit, change))}
          </ul>`
    }
  </section>`;
}

const versionsView = (visit: Visit, journey: ShownJourney, rows: readonly Version[], next: number | null): Html => {
  const { t } = visit;
  const path = `${pathOf(visit, journey.id)}/versions`;
  return html`<h1>${t.journeysVersions}</h1>
    <p><a href="${pathOf(visit, journey.id)}">${journey.name}</a></p>
    <p class="soft">${t.journeysVersionsNote}</p>
    ${rows.map((one) => versionView(visit, one))}
    ${further(t, path, { before: next })}`;
};

/** The versions of a journey with their differences. */
export const JOURNEY_VERSIONS: readonly Screen[] = [
  screen('/journeys/:id/versions', 'viewer', async (visit) => {
    const journey = await shown(visit);
    const input = { ...chosen(visit), before: visit.query['before'] ?? null };
    const found = await visit.read(JOURNEY.versions, input);
    return page(visit.t.journeysVersions, versionsView(visit, journey, found.data, found.next_before));
  }),
];
