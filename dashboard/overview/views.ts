import { html, type Html } from '../kit/html';
import { card, count, percent, table, tag, time, withQuery } from '../kit/parts';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';

/** What `workspace.show` answers, as far as it is shown. */
export interface Shown {
  name: string;
  status: string;
  email_module: boolean;
  coins: number;
  premium: boolean;
  domains: readonly { id: number; domain: string; status: string }[];
}

/** What `campaign.list` answers, as far as it is shown. */
export interface Campaigns {
  data: readonly {
    id: number;
    subject: string;
    status: string;
    created_at: string;
  }[];
}

/** The messages that were accepted since a time, in all and by the status they have now. */
export interface Day {
  since: string;
  total: number;
  byStatus: Readonly<Record<string, number>>;
}

/** Coins that are few: what a free account starts the day with is soon gone. */
const FEW_COINS = 100;

/** What waits for somebody: nothing is sent, or soon nothing will be. */
function needs({ t, base, language }: Visit, of: Shown, asked: Campaigns['data']): Html[] {
  const notice = (text: string, href: string | null = null): Html =>
    html`<li class="notice warn">${href === null ? text : html`<a href="${href}">${text}</a>`}</li>`;
  return [
    ...(of.status === 'suspended' ? [notice(t.overviewSuspended)] : []),
    ...(of.email_module ? [] : [notice(t.overviewModule)]),
    ...(of.coins < FEW_COINS
      ? [notice(filled(t.overviewCoins, { n: count(of.coins, language) }), `${base}/coins`)]
      : []),
    ...(of.domains.length === 0 ? [notice(t.overviewNoDomain, `${base}/domains`)] : []),
    ...of.domains
      .filter(({ status }) => status !== 'active')
      .map(({ id, domain, status }) => notice(filled(t.overviewDomain, { domain, status }), `${base}/domains/${id}`)),
    ...asked.map(({ id, subject }) => notice(filled(t.approvalWaits, { subject }), `${base}/campaigns/${id}`)),
  ];
}

/** The first screen of a workspace: what needs a hand, the last day, and the latest campaigns. */
export function overviewView(
  visit: Visit,
  of: Shown,
  day: Day,
  { latest, asked }: Record<'latest' | 'asked', Campaigns['data']>,
): Html {
  const { t, base, language } = visit;
  const open = needs(visit, of, asked);
  const list = (status?: string): string => withQuery(`${base}/messages`, { since: day.since, status });
  const figure = (status: string, label: string): Html => {
    const n = day.byStatus[status] ?? 0;
    const about = filled(t.overviewShare, { share: percent(n, day.total, language) });
    return card(label, count(n, language), about, list(status));
  };
  return html`<h1>${of.name}</h1>
    <h2>${t.overviewNeeds}</h2>
    ${open.length === 0 ? html`<p class="soft">${t.overviewNothing}</p>` : html`<ul class="plain">${open}</ul>`}
    <h2>${t.overviewDay}</h2>
    <ul class="cards">
      ${card(t.overviewAccepted, count(day.total, language), t.overviewAcceptedAbout, list())}
      ${figure('delivered', t.overviewDelivered)}${figure('bounced', t.overviewBounced)}
      ${figure('failed', t.overviewFailed)}${figure('sent_to_mta', t.overviewHandedOver)}
      ${figure('sending', t.overviewSending)}${figure('queued', t.overviewQueued)}
    </ul>
    <p class="soft">${t.overviewEquation}</p>
    <ul class="cards">
      ${card(t.coinsBalance, count(of.coins, language), of.premium ? t.coinsPremium : t.coinsFree, `${base}/coins`)}
    </ul>
    <h2>${t.overviewCampaigns}</h2>
    ${table(
      t.overviewCampaigns,
      latest,
      [
        { title: t.overviewSubject, cell: ({ id, subject }) => html`<a href="${base}/campaigns/${id}">${subject}</a>` },
        { title: t.overviewStatus, cell: ({ status }) => tag(status) },
        { title: t.overviewCreated, cell: ({ created_at: at }) => time(at), is: 'time' },
      ],
      t.overviewNoCampaign,
    )}`;
}
