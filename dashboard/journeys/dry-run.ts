import { JOURNEY } from '../../operations/journeys/journey';
import { wibDay } from '../../domain/wib';
import { html, NOTHING, type Html } from '../kit/html';
import { day, fault, tag, time } from '../kit/components';
import { page, screen, type Screen, type Visit } from '../kit/screen';
import { filled, type Texts } from '../texts/texts';
import { faultsView } from './editor-views';
import { editing, type Editing } from './editor-read';
import { kindText, outcomeText, reasonText, standText, stepText } from './labels';
import { chosen, type DryPath } from './read';
import { pathOf } from './views';

const DAY = 86_400_000;
const ASSUMED = {
  nothing: 'journeysAssumeNothing',
  opens: 'journeysAssumeOpens',
  clicks: 'journeysAssumeClicks',
  buys: 'journeysAssumeBuys',
} as const satisfies Record<string, keyof Texts>;
const AFTER = ['10m', '1h', '6h', '1d'] as const;

interface Happening {
  at: string;
  what: Html;
  isBad: boolean;
}

const EVENTS = {
  open: 'journeysWouldOpen',
  click: 'journeysWouldClick',
  conversion: 'journeysWouldBuy',
} as const satisfies Record<DryPath['events'][number]['event'], keyof Texts>;

/** All that would happen, in its order: what the contact does comes before the steps of the same moment. */
function happeningsOf({ t }: Visit, of: DryPath): Happening[] {
  const events = of.events.map(({ at, event, step }) => ({
    at,
    isBad: false,
    what: html`${filled(t[EVENTS[event]], { step })}`,
  }));
  const steps = of.steps.map((done) => ({
    at: done.at,
    isBad: done.outcome === 'refused',
    what: html`<b>${done.step} · ${kindText(t, done.type)}</b> ${stepText(t, done)}
      <div>${outcomeText(t, done)}${done.reason && `: ${done.reason}`}</div>`,
  }));
  const end = of.ended_at !== null && {
    at: of.ended_at,
    isBad: false,
    what: html`${filled(t.journeysEndedAs, {
      how: of.reason === null ? standText(t, of.status ?? 'completed') : reasonText(t, of.reason),
    })}`,
  };
  return [...events, ...steps, ...(end ? [end] : [])].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Days of WIB, counted from the one on which it enters. */
function daysOf(visit: Visit, of: DryPath): Html[] {
  const { t } = visit;
  const dateOf = (at: string): string => wibDay(Date.parse(at));
  const days = new Map<string, Happening[]>();
  const entered = of.entered_at ?? '';
  const first = { at: entered, what: html`${t.journeysEntered}`, isBad: false };
  for (const one of [first, ...happeningsOf(visit, of)]) {
    days.set(dateOf(one.at), [...(days.get(dateOf(one.at)) ?? []), one]);
  }
  return [...days].map(([date, all]) => {
    const n = Math.round((Date.parse(date) - Date.parse(dateOf(entered))) / DAY) + 1;
    return html`<h3>${filled(t.journeysDay, { day: n })} · ${day(t, date)} (WIB)</h3>
      <ol class="story">
        ${all.map(({ at, what, isBad }) => html`<li class="${isBad ? 'bad' : ''}">${time(t, at)}${what}</li>`)}
      </ol>`;
  });
}

function pathView(visit: Visit, of: DryPath): Html {
  const { t } = visit;
  const unknown = of.known ? NOTHING : html` <span class="soft">${t.journeysNoContact}</span>`;
  if (of.refused !== null) {
    const why = of.refused === 'unsubscribed' ? t.journeysNotSubscribed : t.journeysLeftSuppressed;
    return html`<section class="panel">
      <h2>${of.email}</h2>
      <p>${tag(t.journeysWouldNotEnter, 'bad')} ${why}</p>
    </section>`;
  }
  return html`<section class="panel"><h2>${of.email}${unknown}</h2>${daysOf(visit, of)}</section>`;
}

const choice = (value: string, label: string, chosenOne: string): Html =>
  html`<option value="${value}" ${value === chosenOne ? html` selected` : NOTHING}>${label}</option>`;

function form(visit: Visit, { journey }: Editing): Html {
  const { t, query } = visit;
  const which = query['which'] ?? 'draft';
  return html`<form class="fields" method="get" action="${pathOf(visit, journey.id)}/dry-run">
    <div>
      <label for="f-contacts">${t.journeysWhoWalks}</label>
      <input
        id="f-contacts"
        name="contacts"
        value="${query['contacts'] ?? ''}"
        aria-describedby="contacts-help"
        placeholder="siti@example.com, budi@example.com"
      />
      <p class="help" id="contacts-help">${t.journeysWhoWalksHelp}</p>
    </div>
    <div>
      <label for="f-assume">${t.journeysAssume}</label>
      <select id="f-assume" name="assume">
        ${Object.entries(ASSUMED).map(([value, key]) => choice(value, t[key], query['assume'] ?? 'nothing'))}
      </select>
    </div>
    <div>
      <label for="f-after">${t.journeysAfter}</label>
      <select id="f-after" name="after">
        ${AFTER.map((value) => choice(value, filled(t.journeysAfterMail, { time: t[AFTER_TEXTS[value]] }), query['after'] ?? '1h'))}
      </select>
    </div>
    ${
      journey.draft &&
      html`<div>
        <label for="f-which">${t.journeysWhich}</label>
        <select id="f-which" name="which">
          ${choice('draft', t.journeysWhichDraft, which)}${choice('now', filled(t.journeysVersionN, { n: journey.version }), which)}
        </select>
      </div>`
    }
    <p><button>${t.journeysWalk}</button></p>
  </form>`;
}

const AFTER_TEXTS = {
  '10m': 'journeysAfter10m',
  '1h': 'journeysAfter1h',
  '6h': 'journeysAfter6h',
  '1d': 'journeysAfter1d',
} as const satisfies Record<(typeof AFTER)[number], keyof Texts>;

/** Walks contacts through the journey before it is switched on, and shows it day by day. */
export const JOURNEY_DRY_RUN: Screen = screen('/journeys/:id/dry-run', 'viewer', async (visit) => {
  const { t, query } = visit;
  const of = await editing(visit);
  const contact = (query['contacts'] ?? '').split(/[\s,;]+/).filter((one) => one !== '');
  const isDraft = of.journey.draft !== null && query['which'] !== 'now';
  const done = await visit.perform(JOURNEY.dryRun, {
    ...chosen(visit),
    contact,
    assume: query['assume'] ?? null,
    after: query['after'] ?? null,
    ...(isDraft && { file: of.text }),
  });
  const main = html`<h1>${t.journeysDryRun}</h1>
    <p><a href="${pathOf(visit, of.journey.id)}">${of.journey.name}</a></p>
    <p>${t.journeysDryRunNote}</p>
    ${done.ok ? NOTHING : fault(done.fault.message)}${form(visit, of)}
    ${done.ok && (done.json.paths?.map((one) => pathView(visit, one)) ?? faultsView(visit, done.json.errors, of.text))}`;
  return page(t.journeysDryRun, main, done.ok ? 200 : 422);
});
