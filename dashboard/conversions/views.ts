import type { CONVERSION } from '../../operations/conversions/conversion';
import type { AnswerOf, RowOf } from '../../operations/definition';
import { filterForm } from '../kit/filters';
import { html, type Html } from '../kit/html';
import { count, day, facts, fault, numberedPager, rupiah, table, time, withQuery } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled, type Texts } from '../texts/texts';
import { wordOf } from '../texts/word-of';

type Sale = RowOf<typeof CONVERSION.list>;
type Listed = AnswerOf<typeof CONVERSION.list>;
type Revenue = AnswerOf<typeof CONVERSION.revenue>;

/** Sales of a page. */
export const LIMIT = 50;

/** What led to a sale, with a link to it. */
function origin({ t, base }: Visit, { campaign_id: campaign, journey_id: journey, message_id: message }: Sale): Html {
  if (campaign !== null) {
    return html`<a href="${base}/campaigns/${campaign}">${filled(t.conversionsOfCampaign, { id: campaign })}</a>`;
  }
  if (journey !== null) {
    return html`<a href="${base}/journeys/${journey}">${filled(t.conversionsOfJourney, { id: journey })}</a>`;
  }
  return message === null ? html`–` : html`<a href="${base}/messages/${message}">${t.conversionsOfMessage}</a>`;
}

const ROOMS: Readonly<Record<string, string>> = { campaign: 'campaigns', journey: 'journeys', message: 'messages' };

function revenueView({ t, base, language }: Visit, { by, conversions, revenue, data }: Revenue): Html {
  const room = ROOMS[by];
  const named = (of: string): Html | string => (room ? html`<a href="${base}/${room}/${of}">${of}</a>` : day(t, of));
  return html`<h2>${t.conversionsRevenue}</h2>
    <p>
      ${filled(t.conversionsSum, { revenue: rupiah(revenue, language), count: conversions })}
    </p>
    ${table(
      t.conversionsRevenue,
      data,
      [
        { title: t.conversionsFrom, cell: ({ of }) => (of === null ? t.conversionsOther : named(of)) },
        { title: t.conversionsCount, cell: (row) => count(row.conversions, language), is: 'number' },
        { title: t.conversionsRevenue, cell: (row) => rupiah(row.revenue, language), is: 'number' },
      ],
      t.conversionsNone,
    )}`;
}

const list = (visit: Visit, { data }: Listed): Html => {
  const { t, base, language } = visit;
  return table(
    t.conversionsList,
    data,
    [
      {
        title: t.conversionsSold,
        cell: (of) => html`<a href="${base}/conversions/${of.id}">${time(t, of.occurred_at)}</a>`,
        is: 'time',
      },
      { title: t.conversionsAmount, cell: ({ amount }) => rupiah(amount, language), is: 'number' },
      { title: t.conversionsOrder, cell: (of) => of.order_id },
      { title: t.conversionsFrom, cell: (of) => origin(visit, of) },
    ],
    t.conversionsNone,
  );
};

/** The sales, added up and one by one. */
export function listView(visit: Visit, found: { sales: Listed; revenue: Revenue } | null, why: string | null): Html {
  const { t, base, query } = visit;
  const path = `${base}/conversions`;
  const page = Math.max(1, Number(query['page'] ?? 1) || 1);
  const filters = [
    {
      name: 'by',
      label: t.conversionsBy,
      isRequired: true as const,
      choices: [
        { value: 'campaign', label: t.conversionsByCampaign },
        { value: 'journey', label: t.conversionsByJourney },
        { value: 'message', label: t.conversionsByMessage },
        { value: 'day', label: t.conversionsByDay },
      ],
    },
    { name: 'since', label: t.conversionsSince, placeholder: t.messagesTimeExample, title: t.messagesTimeHint },
    { name: 'until', label: t.conversionsUntil, placeholder: t.messagesTimeExample, title: t.messagesTimeHint },
    { name: 'campaign', label: t.conversionsCampaign },
  ];
  return html`<h1>${t.navConversions}</h1>
    <p class="soft">${t.conversionsNote}</p>
    ${fault(why)}${filterForm(t, path, filters, query)}
    ${
      found &&
      html`${revenueView(visit, found.revenue)}
        <h2>${t.conversionsList}</h2>
        <p class="acts"><a class="button plain" href="${withQuery(`${path}/export`, query)}" download>${t.downloadCsv}</a></p>
        ${list(visit, found.sales)}${numberedPager(visit, path, { page, limit: LIMIT, total: found.sales.total })}`
    }`;
}

const BOT = 'a machine: ';
/** Why a click did not lead to the sale. */
const whyNot = (t: Texts, why: string): string =>
  why.startsWith(BOT) ? filled(t.messagesMachine, { reason: wordOf(t, why.slice(BOT.length)) }) : wordOf(t, why);

/** One sale: the click that earned it, and those that did not. */
export function saleView(visit: Visit, of: AnswerOf<typeof CONVERSION.show>): Html {
  const { t, base, language } = visit;
  const { click, contact_id: buyer } = of;
  const mail = (id: string): Html => html`<a href="${base}/messages/${id}"><code>${id}</code></a>`;
  return html`<p><a href="${base}/conversions">${t.navConversions}</a></p>
    <h1>${filled(t.conversionsTitle, { amount: rupiah(of.amount, language) })}</h1>
    ${facts([
      [t.conversionsOrder, of.order_id],
      [t.conversionsSold, time(t, of.occurred_at)],
      [t.conversionsReceived, time(t, of.received_at)],
      [t.conversionsFrom, origin(visit, of)],
      buyer !== null && [t.conversionsBuyer, html`<a href="${base}/contacts/${buyer}">${buyer}</a>`],
      [t.conversionsId, html`<code>${of.id}</code>`],
    ])}
    <h2>${t.conversionsClick}</h2>
    ${
      click
        ? facts([
            [t.conversionsClicked, time(t, click.at)],
            [t.conversionsMail, mail(click.message_id)],
            [t.conversionsUrl, click.url],
          ])
        : html`<p>${t.conversionsWaits}</p>`
    }
    <h2>${t.conversionsPassed}</h2>
    ${table(
      t.conversionsPassed,
      of.passed_over,
      [
        { title: t.conversionsClicked, cell: ({ at }) => time(t, at), is: 'time' },
        { title: t.conversionsWhy, cell: ({ why }) => whyNot(t, why) },
        { title: t.conversionsMail, cell: (one) => mail(one.message_id) },
        { title: t.conversionsUrl, cell: ({ url }) => url },
      ],
      t.conversionsPassedNone,
    )}`;
}
