import { storedReason } from '../../operations/campaigns/stored-reason';
import type { CAMPAIGN } from '../../operations/campaigns/campaign';
import type { AnswerOf, RowOf } from '../../operations/definition';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { button, card, count, facts, fault, further, percent, rupiah, stateTag, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import type { Reason } from '../../lib/reason';
import { filled } from '../texts/texts';
import { wordOf } from '../texts/word-of';

export type ShownCampaign = AnswerOf<typeof CAMPAIGN.show>;
type CampaignLink = RowOf<typeof CAMPAIGN.links>;

/** Where the page of a campaign lies. */
export const pathOf = ({ base }: Visit, id: number): string => `${base}/campaigns/${id}`;

export const listView = (
  visit: Visit,
  rows: readonly RowOf<typeof CAMPAIGN.list>[],
  { mayEdit, before }: { mayEdit: boolean; before: number | null },
): Html => {
  const { t, language, base } = visit;
  return html`<h1>${t.navCampaigns}</h1>
    <p class="acts">
      ${mayEdit && html`<a class="button" href="${base}/campaigns/new">${t.campaignsNew}</a>`}
      <a class="button plain" href="${base}/images">${t.imagesTitle}</a>
    </p>
    ${table(
      t.navCampaigns,
      rows,
      [
        { title: t.campaignsSubject, cell: (of) => html`<a href="${pathOf(visit, of.id)}">${of.subject}</a>` },
        { title: t.campaignsStatus, cell: (of) => stateTag(t, of.status) },
        {
          title: t.campaignsQualified,
          is: 'number',
          cell: (of) => of.qualified !== null && count(of.qualified, language),
        },
        { title: t.campaignsSent, is: 'time', cell: (of) => time(t, of.sent_at ?? of.scheduled_at) },
        { title: t.campaignsCreated, is: 'time', cell: (of) => time(t, of.created_at) },
      ],
      t.campaignsNone,
    )}${further(t, `${base}/campaigns`, { before })}`;
};

/** The counts, whose sum is that of the recipients at every moment (docs/contract.md#show-a-campaign). */
function equation({ t, language }: Visit, { counts }: ShownCampaign): Html {
  const parts: readonly [Exclude<keyof typeof counts, 'recipients'>, string][] = [
    ['delivered', t.campaignsDelivered],
    ['bounced', t.campaignsBounced],
    ['failed', t.campaignsFailed],
    ['skipped', t.campaignsSkipped],
    ['pending', t.campaignsPending],
    ['in_hand', t.campaignsInHand],
  ];
  const sum = parts.map(([name, label], i) => html`${i > 0 && ' + '}<b>${count(counts[name], language)}</b> ${label}`);
  const done = counts.recipients - counts.pending - counts.in_hand;
  return html`<h2>${t.campaignsEquation}</h2>
    <p>${t.campaignsRecipients} <b>${count(counts.recipients, language)}</b> = ${sum}</p>
    <progress aria-label="${t.campaignsEquation}" value="${done}" max="${Math.max(counts.recipients, 1)}"></progress>`;
}

function figures({ t, language }: Visit, of: ShownCampaign): Html {
  const { delivered } = of.counts;
  const share = (n: number): string =>
    filled(t.campaignsOfDelivered, { share: percent(n, delivered, language), count: count(delivered, language) });
  const figure = (label: string, n: number): Html => card(label, count(n, language), share(n));
  return html`<ul class="cards">
    ${figure(t.campaignsOpened, of.opens_by_people)}${figure(t.campaignsClicked, of.clicks_by_people)}${figure(
      t.campaignsUnsubscribed,
      of.unsubscribes,
    )}${figure(t.campaignsComplained, of.complaints)}${card(
      t.campaignsSales,
      count(of.conversions, language),
      rupiah(of.revenue, language),
    )}
  </ul>`;
}

/** What may be done with a campaign in its state. */
function buttons(visit: Visit, { id, status, approval, content_hash: seen }: ShownCampaign): Html {
  const { t, csrf } = visit;
  const path = pathOf(visit, id);
  const act = (name: string, label: string, more: Partial<Parameters<typeof button>[1]> = {}): Html =>
    button(csrf, { to: `${path}/${name}`, label, ...more });
  const isDraft = status === 'draft';
  // What would be refused is not offered: the page says below what has to come first.
  const mayStart = !visit.workspace?.campaignApproval || approval?.state === 'given' || mayHere(visit, 'owner');
  const isRunning = status === 'live' || status === 'paused';
  return html`<div class="acts">
    ${(isDraft || status === 'scheduled') && html`<a class="button plain" href="${path}/edit">${t.campaignsEdit}</a>`}
    ${isDraft && mayStart && act('send', t.campaignsSend, { confirm: t.campaignsSendSure, kind: 'main', fields: { seen } })}
    ${status === 'scheduled' && act('unschedule', t.campaignsUnschedule)}
    ${status === 'live' && act('pause', t.campaignsPause)}${status === 'paused' && act('resume', t.campaignsResume)}
    ${isRunning && act('cancel', t.campaignsCancel, { confirm: t.campaignsCancelSure, kind: 'danger' })}
    ${act('copy', t.campaignsCopy)}
    ${isDraft && act('delete', t.campaignsDelete, { confirm: t.campaignsDeleteSure, kind: 'danger' })}
  </div>`;
}

/** What changes while a campaign is being sent; asks for itself again until it has ended. */
export function livePart(visit: Visit, of: ShownCampaign, mayEdit: boolean): Html {
  const { t, language } = visit;
  const asks =
    of.status === 'live' || of.status === 'scheduled'
      ? html` hx-get="${pathOf(visit, of.id)}" hx-trigger="every 5s" hx-swap="outerHTML"`
      : NOTHING;
  return html`<section id="live" ${asks}>
    ${facts([
      [t.campaignsStatus, stateTag(t, of.status)],
      [t.campaignsScheduled, time(t, of.scheduled_at)],
      [t.campaignsSent, time(t, of.sent_at)],
      [t.campaignsQualified, of.qualified === null ? null : count(of.qualified, language)],
      of.per_minute !== undefined && [t.campaignsPace, count(of.per_minute, language)],
      of.per_minute !== undefined && [t.campaignsEnds, time(t, of.ends_at ?? null)],
      of.pause_reason !== null && [t.campaignsPauseReason, storedReason(of.pause_reason).in(language)],
      of.schedule_error !== null && [t.campaignsScheduleError, storedReason(of.schedule_error).in(language)],
    ])}
    ${mayEdit && buttons(visit, of)}${of.sent_at !== null && html`${equation(visit, of)}${figures(visit, of)}`}
  </section>`;
}

export interface CampaignPage {
  campaign: ShownCampaign;
  mayEdit: boolean;
  /** What stands between how far it is and its links: the mail, and the forms of a draft. */
  middle: Html;
  refusal: string | null;
}

export const linksTable = ({ t, language }: Visit, links: readonly CampaignLink[]): Html =>
  table(
    t.campaignsLinks,
    links,
    [
      { title: t.campaignsLink, cell: ({ url }) => url ?? t.campaignsUnknownLink },
      { title: t.campaignsClicks, is: 'number', cell: (of) => count(of.clicks, language) },
      { title: t.campaignsPeople, is: 'number', cell: (of) => count(of.people, language) },
    ],
    t.campaignsNoLinks,
  );

/** The clicks by link, on a page of their own. */
export const linksView = (visit: Visit, { id, subject }: ShownCampaign, links: readonly CampaignLink[]): Html =>
  html`<h1>${visit.t.campaignsLinks}</h1>
    <p><a href="${pathOf(visit, id)}">${subject}</a></p>
    ${linksTable(visit, links)}`;

export function campaignView(visit: Visit, { campaign, mayEdit, middle, refusal }: CampaignPage): Html {
  const { t } = visit;
  const links = `${pathOf(visit, campaign.id)}/links`;
  return html`<h1>${campaign.subject}</h1>
    ${fault(refusal)}${livePart(visit, campaign, mayEdit)}${middle}
    ${
      campaign.sent_at !== null &&
      html`<h2>${t.campaignsLinks}</h2>
        <p hx-get="${links}" hx-trigger="load" hx-swap="outerHTML"><a href="${links}">${t.campaignsLinks}</a></p>`
    }
    ${
      campaign.sent_at !== null &&
      html`<p class="acts">
        <a href="${pathOf(visit, campaign.id)}/recipients">${t.campaignsWho}</a
        ><a href="${visit.base}/messages?campaign=${campaign.id}">${t.campaignsMessages}</a>
      </p>`
    }`;
}

export function recipientsView(
  visit: Visit,
  { id, subject }: ShownCampaign,
  { data, next_after: next }: AnswerOf<typeof CAMPAIGN.recipients>,
): Html {
  const { t, base } = visit;
  const path = `${pathOf(visit, id)}/recipients`;
  return html`<h1>${t.campaignsWho}</h1>
    <p><a href="${pathOf(visit, id)}">${subject}</a></p>
    ${table(
      t.campaignsWho,
      data,
      [
        { title: t.campaignsRecipients, cell: ({ email }) => email ?? t.campaignsErased },
        { title: t.campaignsStatus, cell: ({ status }) => stateTag(t, status) },
        { title: t.campaignsReason, cell: ({ reason }) => reason && wordOf(t, reason) },
        {
          title: t.campaignsMessage,
          cell: ({ message_id: message }) => message && html`<a href="${base}/messages/${message}">${message}</a>`,
        },
      ],
      t.none,
    )}${further(t, path, { after: next })}`;
}

/** What to look at before a campaign is sent; nothing when there is nothing. */
export const warningsView = ({ t, language }: Visit, warnings: readonly (Reason | string)[]): Html =>
  warnings.length === 0
    ? NOTHING
    : html`<h2>${t.previewWarnings}</h2>
        <ul>
          ${warnings.map((warning) => html`<li>${typeof warning === 'string' ? warning : warning.in(language)}</li>`)}
        </ul>`;
