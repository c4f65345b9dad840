import { WEBHOOK_EVENTS } from '../../domain/webhooks/webhook';
import { WEBHOOK } from '../../operations/webhooks/webhook';
import { formOf, type Sent } from '../kit/forms';
import { html, NOTHING, type Html } from '../kit/html';
import { button, copyable, facts, fault, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { deliveryList } from './deliveries';
import { webhookTag, type Listed, type Webhook } from './tags';

const EVENTS = WEBHOOK_EVENTS.map((value) => ({ value, label: value }));
const pathOf = ({ base }: Visit, { id }: Pick<Webhook, 'id'>): string => `${base}/webhooks/${id}`;

/** The webhooks, and the form that adds one. */
export function listView(visit: Visit, webhooks: readonly Webhook[], sent: Sent | null): Html {
  const { t, base } = visit;
  const form = formOf(visit, {
    operation: WEBHOOK.create,
    fields: {
      url: { label: t.webhooksUrl, help: t.webhooksUrlHelp, type: 'url', placeholder: 'https://' },
      events: { label: t.webhooksEvents, boxes: EVENTS },
    },
    to: `${base}/webhooks/create`,
    button: t.webhooksAdd,
    sent,
  });
  return html`<h1>${t.webhooksTitle}</h1>
    <p class="soft">${t.webhooksAbout}</p>
    ${table(
      t.webhooksTitle,
      webhooks,
      [
        { title: t.webhooksUrl, cell: (of) => html`<a href="${pathOf(visit, of)}">${of.url}</a>` },
        { title: t.webhooksState, cell: (of) => webhookTag(t, of) },
        { title: t.webhooksEvents, cell: (of) => of.event_types.join(', ') },
        { title: t.webhooksLast, cell: (of) => time(t, of.last_success_at), is: 'time' },
      ],
      t.webhooksNone,
    )}
    <h2>${t.webhooksAddTitle}</h2>
    ${form}`;
}

/** A webhook that was just made: the only page with its secret. */
export const madeView = (visit: Visit, of: { id: number; url: string; secret: string }): Html =>
  html`<h1>${visit.t.webhooksMade}</h1>
    ${facts([
      [visit.t.webhooksUrl, of.url],
      [visit.t.webhooksSecret, copyable(visit.t, of.secret)],
    ])}
    <p class="notice warn">${visit.t.webhooksSecretNote}</p>
    <p><a class="button" href="${pathOf(visit, of)}">${visit.t.webhooksGo}</a></p>`;

function buttons(visit: Visit, of: Webhook): Html {
  const { t, csrf } = visit;
  const path = pathOf(visit, of);
  const act = (name: string, label: string, more: { confirm?: string; kind?: 'main' | 'danger' } = {}): Html =>
    button(csrf, { to: `${path}/${name}`, label, ...more });
  return html`<div class="acts">
    ${
      of.is_active
        ? [
            act('test', t.webhooksTest, { kind: 'main' }),
            act('disable', t.webhooksDisable, { confirm: t.webhooksDisableSure }),
          ]
        : act('enable', t.webhooksEnable, { kind: 'main' })
    }
    ${act('delete', t.webhooksDelete, { confirm: t.webhooksDeleteSure, kind: 'danger' })}
  </div>`;
}

function replayForm(visit: Visit, of: Webhook, sent: Sent | null): Html {
  const { t } = visit;
  const form = formOf(visit, {
    operation: WEBHOOK.replay,
    fields: {
      from: { label: t.webhooksFrom, type: 'datetime-local' },
      to: { label: t.webhooksTo, help: t.webhooksToHelp, type: 'datetime-local' },
      events: { label: t.webhooksOnly, boxes: EVENTS.filter(({ value }) => of.event_types.includes(value)) },
    },
    to: `${pathOf(visit, of)}/replay`,
    button: t.webhooksReplay,
    sent,
  });
  return html`<details class="panel" ${sent && html` open`}>
    <summary>${t.webhooksReplay}</summary>
    <p class="soft">${t.webhooksReplayAbout}</p>
    ${form}
  </details>`;
}

/** One webhook: its state, what may be done with it, and what was delivered to it. */
export function webhookView(
  visit: Visit,
  of: Webhook,
  { listed, why, sent }: { listed: Listed | null; why: string | null; sent: Sent | null },
): Html {
  const { t, base } = visit;
  return html`<p><a href="${base}/webhooks">${t.webhooksTitle}</a></p>
    <h1>${of.url}</h1>
    ${facts([
      [t.webhooksState, webhookTag(t, of)],
      [t.webhooksEvents, of.event_types.join(', ')],
      [t.webhooksLast, time(t, of.last_success_at)],
      [t.webhooksEnabled, time(t, of.enabled_at)],
      [t.webhooksCreated, time(t, of.created_at)],
    ])}
    ${buttons(visit, of)}
    <h2>${t.webhooksDeliveries}</h2>
    ${fault(why)}${deliveryList(visit, pathOf(visit, of), listed)}
    ${of.is_active ? replayForm(visit, of, sent) : NOTHING}`;
}
