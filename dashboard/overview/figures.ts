import { html, type Html } from '../kit/html';
import { card, count, day, percent, rupiah, table, time, withQuery, type Column } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled, type Texts } from '../texts/texts';
import { timesOf, type Sales, type Stats } from './range';

type Figures = Stats['total'];

/** The figures of the curve, in its order. */
const CURVES = [
  ['sent', 'overviewSent'],
  ['delivered', 'overviewDelivered'],
  ['bounced', 'overviewBounced'],
  ['complained', 'overviewComplained'],
  ['opened', 'overviewOpened'],
  ['clicked', 'overviewClicked'],
] as const satisfies readonly (readonly [keyof Figures, keyof Texts])[];

/** Each figure with what it is of; it leads to its list. */
export function cards({ t, base, language }: Visit, stats: Stats, sales: Sales): Html {
  const { total } = stats;
  const times = timesOf(stats);
  const list = (query: object): string => withQuery(`${base}/messages`, { ...times, ...query });
  const figure = (label: string, n: number, of: keyof Figures, query: object): Html => {
    const share = percent(n, total[of], language);
    const about = filled(of === 'sent' ? t.overviewOfSent : t.overviewShare, { share, n: count(total[of], language) });
    return card(label, count(n, language), about, list(query));
  };
  const byStatus = (label: string, status: 'sending' | 'queued' | 'failed' | 'sent_to_mta'): Html =>
    figure(label, total[status], 'accepted', { status });
  const did = (label: string, name: 'opened' | 'clicked' | 'complained'): Html =>
    figure(label, total[name], 'sent', { engagement: name });
  return html`<ul class="cards">
      ${card(t.overviewAccepted, count(total.accepted, language), t.overviewAcceptedAbout, list({}))}
      ${figure(t.overviewSent, total.sent, 'accepted', { status: 'sent' })}
      ${byStatus(t.overviewFailed, 'failed')}${byStatus(t.overviewSending, 'sending')}
      ${byStatus(t.overviewQueued, 'queued')}
    </ul>
    <p class="soft">${t.overviewEquation}</p>
    <ul class="cards">
      ${figure(t.overviewDelivered, total.delivered, 'sent', { status: 'delivered' })}
      ${figure(t.overviewBounced, total.bounced, 'sent', { status: 'bounced' })}
      ${figure(t.overviewHandedOver, total.sent_to_mta, 'sent', { status: 'sent_to_mta' })}
    </ul>
    <p class="soft">${t.overviewSentEquation}</p>
    <ul class="cards">
      ${did(t.overviewOpened, 'opened')}${did(t.overviewClicked, 'clicked')}
      ${did(t.overviewComplained, 'complained')}
      ${figure(t.overviewOpenedByMachines, total.opened_by_machines, 'sent', { engagement: 'opened-by-machines' })}
      ${card(
        t.overviewSales,
        count(sales.conversions, language),
        filled(t.overviewRevenue, { revenue: rupiah(sales.revenue, language) }),
        withQuery(`${base}/conversions`, times),
      )}
    </ul>`;
}

/** The curves, drawn by an island from the data in the element; without script the table is all. */
export function curve({ t, language }: Visit, { by, data }: Stats): Html {
  const drawn = {
    by,
    title: by === 'day' ? t.overviewDayColumn : t.overviewHourColumn,
    at: data.map(({ at }) => Math.floor(Date.parse(at) / 1000)),
    series: CURVES.map(([name, text]) => ({ label: t[text], values: data.map((row) => row[name]) })),
  };
  const columns: Column<Stats['data'][number]>[] = [
    {
      title: by === 'day' ? t.overviewDayColumn : t.overviewHourColumn,
      cell: (row) => (by === 'day' ? day(t, row.day) : time(t, row.at)),
      is: 'time',
    },
    ...CURVES.map(([name, text]): Column<Stats['data'][number]> => ({
      title: t[text],
      cell: (row) => count(row[name], language),
      is: 'number',
    })),
  ];
  return html`<div class="chart scripted" data-chart="${JSON.stringify(drawn)}" role="img" aria-label="${t.overviewCurve}"></div>
    <details class="as-table" open>
      <summary>${t.overviewTable}</summary>
      ${table(t.overviewCurve, data, columns, t.overviewNothing)}
    </details>`;
}
