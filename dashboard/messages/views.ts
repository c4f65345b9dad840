import { randomUUID } from 'node:crypto';
import { ENGAGEMENTS, SENT } from '../../domain/messages/message-hour';
import {
  LISTED_FACTS,
  MESSAGE_FACTS,
  MESSAGE_STATUSES,
  RETURNED_FACTS,
  type ListedFacts,
  type ReturnedFacts,
} from '../../domain/messages/message';
import { snakeCase } from '../../lib/snake-case';
import { filterForm, type Filter } from '../kit/filters';
import { html, NOTHING, type Html, type Piece } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { button, count, facts, fault, fileSize, pager, table, time, withQuery } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled, type Texts } from '../texts/texts';
import { wordOf } from '../texts/word-of';
import {
  ENGAGEMENT_TEXTS,
  statusTag,
  type Found,
  type Listed,
  type Mail,
  type Numbered,
  type Row,
  type Shown,
} from './tags';
import { timeline } from './timeline';

/** The list, below what narrows it. */
export function listView(visit: Visit, domains: readonly string[], listed: Listed | null, why: string | null): Html {
  const { t, base, query } = visit;
  const path = `${base}/messages`;
  const to = query['to']?.trim() ?? '';
  return html`<h1>${t.messagesTitle}</h1>
    ${fault(why)}${filterForm(t, path, commonFilters(t), query, moreFilters(t, domains))}
    ${to.indexOf('@') > 0 && whyNot(visit, to)}
    ${listed && (listed.looked_back_to === undefined ? numbered(visit, listed) : found(visit, listed))}`;
}

const commonFilters = (t: Texts): Filter[] => [
  { name: 'to', label: t.messagesRecipient, placeholder: t.messagesRecipientHint },
  { name: 'subject', label: t.messagesSubject },
  {
    name: 'status',
    label: t.messagesStatus,
    choices: [...MESSAGE_STATUSES, SENT].map((value) => ({ value, label: wordOf(t, value) })),
  },
  { name: 'since', label: t.messagesSince, placeholder: t.messagesTimeExample, title: t.messagesTimeHint },
  { name: 'until', label: t.messagesUntil, placeholder: t.messagesTimeExample, title: t.messagesTimeHint },
];

const moreFilters = (t: Texts, domains: readonly string[]): Filter[] => [
  { name: 'metadata', label: t.messagesMetadata, placeholder: 'order_id=1042' },
  { name: 'campaign', label: t.messagesCampaignId },
  { name: 'domain', label: t.messagesDomain, choices: domains.map((value) => ({ value, label: value })) },
  {
    name: 'engagement',
    label: t.messagesEngagement,
    choices: ENGAGEMENTS.map((value) => ({ value, label: t[ENGAGEMENT_TEXTS[value]] })),
  },
  ...LISTED_FACTS.map((name): Filter => {
    const { words } = MESSAGE_FACTS[name].traits;
    return {
      name,
      label: labelOf(t, name),
      ...(words && { choices: words.map((value) => ({ value, label: wordOf(t, value) })) }),
    };
  }),
];

/** What a fact is called; without its text it does not compile. */
const labelOf = (t: Texts, name: keyof (ListedFacts & ReturnedFacts)): string => {
  const [first = '', ...rest] = name;
  return t[`messages${first.toUpperCase()}${rest.join('')}` as `messages${Capitalize<typeof name>}`];
};

/** A list with its total. */
function numbered(
  { t, base, query, language }: Visit,
  { data, total, total_is_exact: isExact, page, limit }: Numbered,
): Html {
  const pageAt = (n: number): string => withQuery(`${base}/messages`, { ...query, page: n });
  // Behind those that were counted there are no page numbers: the list goes on from its last message.
  const last = isExact || data.length < limit ? null : (data.at(-1)?.message_id ?? null);
  const further = last && withQuery(`${base}/messages`, { ...query, page: null, after: last });
  return html`<p class="soft">${filled(isExact ? t.messagesTotal : t.messagesMoreThan, { count: count(total, language) })}</p>
    ${rows(t, base, data)}${pager(
      t,
      page > 1 ? pageAt(page - 1) : null,
      page * limit < total ? pageAt(page + 1) : further,
    )}`;
}

/** What a search found so far: it never says that nothing is there as long as it did not look at all. */
function found({ t, base, query }: Visit, { data, limit, next_after: next, looked_back_to: back }: Found): Html {
  const at = (after: string | null): string => withQuery(`${base}/messages`, { ...query, after });
  const first = query['after'] ? html`<a href="${at(null)}">${t.messagesNewest}</a>` : null;
  const isShort = next !== null && data.length < limit;
  return html`${isShort && data.length === 0 ? NOTHING : rows(t, base, data, query['after'] ? t.messagesNoMore : t.messagesNone)}
    ${isShort && html`<p class="notice warn">${data.length === 0 ? t.messagesNotYet : t.messagesMaybeMore} ${time(t, back)}.</p>`}
    <nav class="pages" aria-label="${t.more}">
      ${first}${next !== null && html`<a href="${at(next)}" rel="next">${isShort ? t.messagesFurther : t.next}</a>`}
    </nav>`;
}

const rows = (t: Texts, base: string, data: readonly Row[], none = t.messagesNone): Html =>
  table(
    t.messagesTitle,
    data,
    [
      { title: t.messagesAccepted, cell: (of) => time(t, of.created_at), is: 'time' },
      { title: t.messagesTo, cell: (of) => of.to ?? t.messagesGone },
      {
        title: t.messagesSubject,
        cell: (of) => html`<a href="${base}/messages/${of.message_id}">${of.subject || '–'}</a>`,
      },
      { title: t.messagesStatus, cell: (of) => statusTag(t, of.status) },
      { title: t.messagesChannel, cell: (of) => wordOf(t, of.channel) },
      { title: t.messagesReason, cell: (of) => of.failed_reason },
    ],
    none,
  );

/** The way to the question whether an address can get mail. */
const whyNot = ({ t, base }: Visit, email: string): Html =>
  html`<p>
    <a href="${withQuery(`${base}/suppressions`, { email })}">${filled(t.messagesWhyNot, { email })}</a>
  </p>`;

const whyRefused = (visit: Visit, { status, to }: Shown): Html =>
  to !== null && (status === 'bounced' || status === 'failed') ? whyNot(visit, to) : NOTHING;

const linked = (base: string, room: string, id: number | null): Html | null =>
  id === null ? null : html`<a href="${base}/${room}/${id}">${id}</a>`;

/** What may have been sent by a program of the caller, and came to its end. */
const mayBeSentAgain = (visit: Visit, { channel, status, to }: Shown): boolean =>
  channel !== 'app' &&
  to !== null &&
  ['delivered', 'bounced', 'failed'].includes(status) &&
  mayHere(visit, 'developer');

/** Without what this message does not have. */
const dropNone = (entries: readonly (readonly [string, Piece])[]) => entries.filter(([, value]) => value !== null);

/** A value of the caller's own; what is no text, as JSON. */
const returned = (value: unknown): Piece =>
  value === null || typeof value === 'string' ? value : html`<code>${JSON.stringify(value)}</code>`;

const channelText = (t: Texts, { campaign_id: campaign, journey_id: journey, channel }: Shown): string =>
  wordOf(t, campaign !== null ? 'campaign' : journey !== null ? 'journey' : channel);

/** A message: what it is, its story, and the mail. `why`: it was not sent again. */
export function messageView(visit: Visit, of: Shown, why: string | null = null): Html {
  const { t, base } = visit;
  const path = `${base}/messages/${of.message_id}`;
  const step = of.step === null ? '' : ` · ${filled(t.messagesStep, { n: of.step })}`;
  return html`<p><a href="${base}/messages">${t.messagesTitle}</a></p>
    <h1>${of.subject || '–'}</h1>
    ${fault(why)}
    <p>${statusTag(t, of.status)} ${of.failed_reason}</p>
    ${whyRefused(visit, of)}
    ${
      mayBeSentAgain(visit, of) &&
      html`<div class="acts">
        ${button(visit.csrf, {
          to: `${path}/send-again`,
          confirm: t.messagesAgainConfirm,
          label: of.attachment_count ? t.messagesAgainWithout : t.messagesAgain,
          fields: { reference: randomUUID(), ...(of.attachment_count && { without: 'attachments' }) },
        })}
      </div>`
    }
    ${facts(
      dropNone([
        [
          t.messagesTo,
          of.to === null
            ? t.messagesGone
            : html`<a href="${withQuery(`${base}/messages`, { to: of.to })}">${of.to}</a>`,
        ],
        [t.messagesFrom, `${of.from_name} <${of.from_email}>`],
        [t.messagesReplyTo, of.reply_to],
        [t.messagesDomain, of.domain],
        [t.messagesChannel, channelText(t, of)],
        [t.messagesCategory, wordOf(t, of.category)],
        [t.messagesCampaign, linked(base, 'campaigns', of.campaign_id)],
        [t.messagesJourney, of.journey_id === null ? null : html`${linked(base, 'journeys', of.journey_id)}${step}`],
        [t.messagesAccepted, time(t, of.created_at)],
        [t.messagesSendAt, of.send_at && time(t, of.send_at)],
        [t.messagesDispatched, time(t, of.dispatched_at)],
        ...RETURNED_FACTS.map((name): [string, Piece] => [labelOf(t, name), returned(of[snakeCase(name)])]),
        [
          t.messagesAttachments,
          of.attachment_count ? filled(t.messagesAttachmentsHad, { count: String(of.attachment_count) }) : null,
        ],
        [t.messagesLeftOut, of.attachments_left_out || null],
        [t.messagesId, html`<code>${of.message_id}</code>`],
      ]),
    )}
    <h2>${t.messagesStory}</h2>
    ${timeline(visit, path, of)}
    <h2>${t.messagesMail}</h2>
    ${
      of.to === null
        ? html`<p class="soft">${t.messagesMailGone}</p>`
        : html`<p class="acts">
              <a class="button plain" href="${path}/source">${t.messagesSource}</a
              ><a class="button plain" href="${path}/eml" download>${t.messagesDownload}</a>
            </p>
            <iframe class="mail" sandbox title="${t.messagesMail}" loading="lazy" src="${path}/mail"></iframe>`
    }`;
}

/** Characters of a source that are shown; the rest is in the file. */
const SHOWN_SOURCE = 200_000;

/** The source of a mail, with its headers. */
export function sourceView({ t, base, id, language }: Visit, mail: Mail): Html {
  const path = `${base}/messages/${id}`;
  const isCut = mail.source.length > SHOWN_SOURCE;
  return html`<p><a href="${path}">${mail.subject || '–'}</a></p>
    <h1>${t.messagesSource}</h1>
    <p class="soft">${t.messagesSourceNote}</p>
    <p><a href="${path}/eml" download>${t.messagesDownload}</a></p>
    ${
      mail.attachments.length === 0
        ? NOTHING
        : facts([
            [
              t.messagesAttachments,
              mail.attachments
                .map((one) => `${one.filename} (${one.type}, ${fileSize(one.size, language)})`)
                .join('; '),
            ],
          ])
    }
    ${isCut ? html`<p>${t.messagesCut}</p>` : NOTHING}
    <pre tabindex="0">${mail.source.slice(0, SHOWN_SOURCE)}</pre>`;
}

/** The document in the frame of a mail that has only text. */
export const textDocument = (mail: Mail): Html =>
  html`<!doctype html>
    <meta charset="utf-8" />
    <title>${mail.subject}</title>
    <pre>${mail.text ?? ''}</pre>`;
