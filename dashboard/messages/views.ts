import { ENGAGEMENTS, SENT } from '../../domain/messages/message-hour';
import { CHANNELS, MESSAGE_STATUSES } from '../../domain/messages/message';
import { filterForm } from '../kit/filters';
import { html, NOTHING, type Html } from '../kit/html';
import { count, facts, fault, pager, table, time, withQuery } from '../kit/parts';
import type { Visit } from '../kit/screen';
import { filled, type Texts } from '../texts/texts';
import { ENGAGEMENT_TEXTS, statusTag, statusText, type Listed, type Mail, type Row, type Shown } from './shape';
import { story } from './story';

/** The list, below what narrows it. */
export function listView({ t, base, query, language }: Visit, listed: Listed | null, why: string | null): Html {
  const path = `${base}/messages`;
  const to = query['to']?.trim() ?? '';
  const pageAt = (page: number): string => withQuery(path, { ...query, page });
  return html`<h1>${t.messagesTitle}</h1>
    ${fault(why)}${filterForm(
      t,
      path,
      [
        { name: 'to', label: t.messagesRecipient },
        {
          name: 'status',
          label: t.messagesStatus,
          choices: [...MESSAGE_STATUSES, SENT].map((value) => ({ value, label: statusText(t, value) })),
        },
        {
          ...{ name: 'engagement', label: t.messagesEngagement },
          choices: ENGAGEMENTS.map((value) => ({ value, label: t[ENGAGEMENT_TEXTS[value]] })),
        },
        { name: 'channel', label: t.messagesChannel, choices: CHANNELS.map((value) => ({ value, label: value })) },
        { name: 'since', label: t.messagesSince, placeholder: t.messagesTimeHint },
        { name: 'until', label: t.messagesUntil, placeholder: t.messagesTimeHint },
      ],
      query,
    )}
    ${
      to.includes('@')
        ? html`<p>
            <a href="${withQuery(`${base}/suppressions`, { email: to })}">${filled(t.messagesWhyNot, { email: to })}</a>
          </p>`
        : NOTHING
    }
    ${
      listed &&
      html`<p class="soft">${filled(t.messagesTotal, { count: count(listed.total, language) })}</p>
        ${rows(t, base, listed.data)}${pager(
          t,
          listed.page > 1 ? pageAt(listed.page - 1) : null,
          listed.page * listed.limit < listed.total ? pageAt(listed.page + 1) : null,
        )}`
    }`;
}

const rows = (t: Texts, base: string, data: readonly Row[]): Html =>
  table(
    t.messagesTitle,
    data,
    [
      { title: t.messagesAccepted, cell: (of) => time(of.created_at), is: 'time' },
      { title: t.messagesTo, cell: (of) => of.to ?? t.messagesGone },
      {
        title: t.messagesSubject,
        cell: (of) => html`<a href="${base}/messages/${of.message_id}">${of.subject || '–'}</a>`,
      },
      { title: t.messagesStatus, cell: (of) => statusTag(t, of.status) },
      { title: t.messagesChannel, cell: (of) => of.channel },
      { title: t.messagesReason, cell: (of) => of.failed_reason },
    ],
    t.messagesNone,
  );

const linked = (base: string, room: string, id: number | null): Html | null =>
  id === null ? null : html`<a href="${base}/${room}/${id}">${id}</a>`;

/** A message: what it is, its story, and the mail. */
export function messageView(visit: Visit, of: Shown): Html {
  const { t, base } = visit;
  const path = `${base}/messages/${of.message_id}`;
  const journey = of.step === null ? '' : `, ${of.step}`;
  return html`<p><a href="${base}/messages">${t.messagesTitle}</a></p>
    <h1>${of.subject || '–'}</h1>
    <p>${statusTag(t, of.status)} ${of.failed_reason}</p>
    ${facts([
      [
        t.messagesTo,
        of.to === null ? t.messagesGone : html`<a href="${withQuery(`${base}/messages`, { to: of.to })}">${of.to}</a>`,
      ],
      [t.messagesFrom, `${of.from_name} <${of.from_email}>`],
      [t.messagesReplyTo, of.reply_to],
      [t.messagesDomain, of.domain],
      [t.messagesChannel, of.channel],
      [t.messagesCategory, of.category],
      [t.messagesCampaign, linked(base, 'campaigns', of.campaign_id)],
      [t.messagesJourney, of.journey_id === null ? null : html`${linked(base, 'journeys', of.journey_id)}${journey}`],
      [t.messagesAccepted, time(of.created_at)],
      [t.messagesSendAt, time(of.send_at)],
      [t.messagesDispatched, time(of.dispatched_at)],
      [t.messagesMetadata, of.metadata && html`<code>${JSON.stringify(of.metadata)}</code>`],
      [t.messagesId, html`<code>${of.message_id}</code>`],
    ])}
    <h2>${t.messagesStory}</h2>
    ${story(visit, path, of)}
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
export function sourceView({ t, base, params }: Visit, mail: Mail): Html {
  const path = `${base}/messages/${params['id'] ?? ''}`;
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
              mail.attachments.map((one) => `${one.filename} (${one.type}, ${one.size})`).join('; '),
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
