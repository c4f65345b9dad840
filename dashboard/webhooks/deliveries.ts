import { WEBHOOK_EVENTS } from '../../domain/webhooks/webhook';
import { DELIVERY_STATES, TEST_EVENT, TEST_MESSAGE } from '../../domain/webhooks/webhook-delivery';
import { filterForm } from '../kit/filters';
import { html, NOTHING, type Html } from '../kit/html';
import { button, count, facts, numberedPager, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled, type Texts } from '../texts/texts';
import { wordOf } from '../texts/word-of';
import { deliveryTag, type Delivery, type Listed, type ShownDelivery, type Webhook } from './tags';

const lastAnswer = (t: Texts, { attempts }: Delivery): string | null => {
  const last = attempts.at(-1);
  return last ? (last.error ?? String(last.status ?? t.webhooksNoAnswer)) : null;
};

const messageLink = ({ base }: Visit, { message_id: id }: Delivery): Html | null =>
  id === TEST_MESSAGE ? null : html`<a href="${base}/messages/${id}"><code>${id}</code></a>`;

/** What was delivered to a webhook, below what narrows it. */
export function deliveryList(visit: Visit, path: string, listed: Listed | null): Html {
  const { t, query, language } = visit;
  const filters = filterForm(
    t,
    path,
    [
      {
        name: 'state',
        label: t.webhooksState,
        choices: DELIVERY_STATES.map((value) => ({ value, label: wordOf(t, value) })),
      },
      {
        name: 'event',
        label: t.webhooksEvent,
        choices: [...WEBHOOK_EVENTS, TEST_EVENT].map((value) => ({ value, label: value })),
      },
    ],
    query,
  );
  if (!listed) return filters;
  const { data, total } = listed;
  return html`${filters}
    <p class="soft">${filled(t.webhooksTotal, { count: count(total, language) })}</p>
    ${table(
      t.webhooksDeliveries,
      data,
      [
        {
          title: t.webhooksAt,
          cell: ({ id, created_at: at }) => html`<a href="${path}/deliveries/${id}">${time(t, at)}</a>`,
          is: 'time',
        },
        { title: t.webhooksEvent, cell: ({ event }) => event },
        { title: t.webhooksState, cell: ({ state }) => deliveryTag(t, state) },
        { title: t.webhooksAttempts, cell: ({ attempts }) => attempts.length, is: 'number' },
        { title: t.webhooksAnswer, cell: (of) => lastAnswer(t, of) },
        { title: t.webhooksMessage, cell: (of) => messageLink(visit, of) },
      ],
      t.webhooksNoDeliveries,
    )}
    ${numberedPager(visit, path, listed)}`;
}

const attemptView = (t: Texts, of: Delivery['attempts'][number], n: number): Html =>
  html`<li class="${of.error === null ? '' : 'bad'}">
    ${time(t, of.at)}<b>${filled(t.webhooksAttempt, { n })}</b>
    <div>
      ${
        of.status === null
          ? t.webhooksNoAnswer
          : filled(t.webhooksStatus, { status: of.status, ms: of.duration_ms ?? '–' })
      }
    </div>
    ${of.error && html`<div>${of.error}</div>`}${of.answer && html`<pre tabindex="0">${of.answer}</pre>`}
  </li>`;

/** The attempts of a delivery; asks for itself again while it waits. */
export function attemptsPart({ t }: Visit, path: string, { state, attempts }: Delivery): Html {
  const asks = state === 'waiting' ? html` hx-get="${path}" hx-trigger="every 5s" hx-swap="outerHTML"` : NOTHING;
  return html`<section id="attempts" ${asks}>
    <p>${deliveryTag(t, state)}</p>
    ${
      attempts.length === 0
        ? html`<p class="soft">${t.webhooksNoAttempts}</p>`
        : html`<ol class="story">
            ${attempts.map((one, i) => attemptView(t, one, i + 1))}
          </ol>`
    }
  </section>`;
}

/** One delivery: what is sent, and what the endpoint answered to each attempt. */
export function deliveryView(visit: Visit, webhook: Webhook, of: ShownDelivery): Html {
  const { t, base, csrf } = visit;
  const path = `${base}/webhooks/${webhook.id}/deliveries/${of.id}`;
  return html`<p><a href="${base}/webhooks/${webhook.id}">${webhook.url}</a></p>
    <h1>${t.webhooksDelivery}: ${of.event}</h1>
    ${facts([
      [t.webhooksDeliveryId, html`<code>${of.id}</code>`],
      [t.webhooksMessage, messageLink(visit, of)],
      [t.webhooksAt, time(t, of.created_at)],
    ])}
    ${webhook.is_active && html`<div class="acts">${button(csrf, { to: `${path}/retry`, label: t.webhooksRetry })}</div>`}
    <h2>${t.webhooksAttempts}</h2>
    ${attemptsPart(visit, path, of)}
    <h2>${t.webhooksRequest}</h2>
    <p class="soft">${t.webhooksRequestNote}</p>
    <pre tabindex="0">${JSON.stringify(of.payload, null, 2)}</pre>`;
}
