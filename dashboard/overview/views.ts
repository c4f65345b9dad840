import { filterForm } from '../kit/filters';
import { html, NOTHING, type Html } from '../kit/html';
import { card, count, fault as faultOf, stateTag, table, time, withQuery } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { cards, curve } from './figures';
import { needs } from './needs';
import { RANGES, type Overview } from './range';

/** Chooses the time: some days at once, or any, both in the address. */
function ranges({ t, base, query }: Visit, { by }: Overview['stats']): Html {
  const isHere = (days: number): boolean => !query['since'] && (query['days'] ?? '7') === String(days);
  const label = (days: number): string => (days === 1 ? t.overviewToday : filled(t.overviewDays, { n: days }));
  const steps = [
    { value: 'day', label: t.overviewByDay },
    { value: 'hour', label: t.overviewByHour },
  ];
  return html`<nav class="acts" aria-label="${t.overviewTime}">
      ${RANGES.map(
        (days) =>
          html`<a class="button plain" href="${withQuery(base, { days })}" ${isHere(days) ? html` aria-current="true"` : NOTHING}>${label(days)}</a>`,
      )}
    </nav>
    <details ${query['since'] || query['by'] ? html` open` : NOTHING}>
      <summary>${t.overviewOtherTime}</summary>
      ${filterForm(
        t,
        base,
        [
          { name: 'since', label: t.messagesSince, placeholder: t.messagesTimeExample, title: t.messagesTimeHint },
          { name: 'until', label: t.messagesUntil, placeholder: t.messagesTimeExample, title: t.messagesTimeHint },
          { name: 'by', label: t.overviewBy, choices: steps, isRequired: true },
        ],
        { ...query, by },
      )}
    </details>`;
}

/** The first screen of a workspace: what needs attention, the figures of a period, and recent campaigns. */
export function overviewView(visit: Visit, all: Overview): Html {
  const { t, base, language } = visit;
  const { of, stats, sales, latest, fault } = all;
  const open = needs(visit, all);
  const times = { since: time(t, stats.since), until: time(t, stats.until) };
  return html`<h1>${of.name}</h1>
    <h2>${t.overviewNeeds}</h2>
    ${open.length === 0 ? html`<p class="soft">${t.overviewNothing}</p>` : html`<ul class="plain">${open}</ul>`}
    <h2>${t.overviewFigures}</h2>
    ${faultOf(fault)}${ranges(visit, stats)}
    <p class="soft">${times.since} – ${times.until}</p>
    ${curve(visit, stats)}${cards(visit, stats, sales)}
    <h2>${t.overviewBalance}</h2>
    <ul class="cards">
      ${card(t.coinsBalance, count(of.coins, language), of.premium ? t.coinsPremium : t.coinsFree, `${base}/coins`)}
    </ul>
    <h2>${t.overviewCampaigns}</h2>
    ${table(
      t.overviewCampaigns,
      latest,
      [
        { title: t.overviewSubject, cell: ({ id, subject }) => html`<a href="${base}/campaigns/${id}">${subject}</a>` },
        { title: t.overviewStatus, cell: ({ status }) => stateTag(t, status) },
        { title: t.overviewCreated, cell: ({ created_at: at }) => time(t, at), is: 'time' },
      ],
      t.overviewNoCampaign,
    )}`;
}
