import type { RowOf } from '../../operations/definition';
import { DOMAIN } from '../../operations/domains/domain';
import { mayForce } from '../../operations/domains/domain-check';
import { formOf, type Sent } from '../kit/forms';
import { html, type Html } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { button, facts, fault, stateTag, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled, type Texts } from '../texts/texts';
import { hasPending, recordsView, type Looked, type ShownDomain } from './records';
import { warmupPart, type WarmupPlan } from './warmup';

type Domain = RowOf<typeof DOMAIN.list>;

const kindText = (t: Texts, { category }: Domain): string =>
  category === 'marketing' ? t.domainsMarketing : t.domainsTransactional;

function addForm(visit: Visit, sent: Sent | null): Html {
  const { t, base } = visit;
  return html`<h2>${t.domainsAddTitle}</h2>
    ${formOf(visit, {
      operation: DOMAIN.add,
      fields: {
        name: { label: t.domainsName, help: t.domainsNameHelp },
        category: {
          label: t.domainsKind,
          help: t.domainsKindHelp,
          choices: [
            { value: 'marketing', label: t.domainsMarketing },
            { value: 'transactional', label: t.domainsTransactional },
          ],
        },
      },
      to: `${base}/domains/add`,
      button: t.domainsAdd,
      values: { category: 'marketing' },
      sent,
    })}`;
}

/** The list, and the form that adds one; `sent` is what was refused. */
export function listView(visit: Visit, domains: readonly Domain[], sent: Sent | null): Html {
  const { t, base } = visit;
  return html`<h1>${t.domainsTitle}</h1>
    <p class="soft">${t.domainsAbout}</p>
    ${table(
      t.domainsTitle,
      domains,
      [
        { title: t.domainsName, cell: ({ id, domain }) => html`<a href="${base}/domains/${id}">${domain}</a>` },
        { title: t.domainsStatus, cell: ({ status }) => stateTag(t, status) },
        { title: t.domainsKind, cell: (of) => kindText(t, of) },
        { title: t.domainsAdded, cell: (of) => time(t, of.created_at), is: 'time' },
      ],
      t.domainsNone,
    )}${mayHere(visit, 'developer') && addForm(visit, sent)}`;
}

/** What was tried with a domain and did not come out. */
export interface Tried {
  /** The key is what was tried, not the domain. */
  rotating?: boolean;
  /** What was found in the DNS; null for not looked up. */
  looked: Looked | null;
  /** Why it was not activated; the check can be left out then. */
  why: string | null;
}

function stateButtons(
  { t, base, csrf, access, services: { config } }: Visit,
  { id, status }: Domain,
  { why, rotating }: Tried,
): Html {
  const path = `${base}/domains/${id}`;
  const force = { to: `${path}/activate`, label: t.domainsForce, confirm: t.domainsForceSure, fields: { force: 'on' } };
  return html`<div class="acts">
    ${status !== 'active' && button(csrf, { to: `${path}/activate`, label: t.domainsActivate, kind: 'main' })}
    ${why !== null && !rotating && mayForce({ access, config }) && button(csrf, { ...force, kind: 'danger' })}
    ${
      status === 'active' &&
      button(csrf, { to: `${path}/suspend`, label: t.domainsSuspend, confirm: t.domainsSuspendSure, kind: 'danger' })
    }
  </div>`;
}

function mailPart(visit: Visit, { id, category, track_clicks: tracked }: Domain): Html {
  const { t, base, csrf } = visit;
  const set = (label: string, fields: Readonly<Record<string, string>>): Html =>
    button(csrf, { to: `${base}/domains/${id}/set`, label, fields });
  const isMarketing = category === 'marketing';
  return html`<h2>${t.domainsMail}</h2>
    <p>${isMarketing ? t.domainsMailMarketing : t.domainsMailTransactional}</p>
    ${
      mayHere(visit, 'developer') &&
      html`<div class="acts">
        ${
          isMarketing
            ? set(t.domainsToTransactional, { category: 'transactional' })
            : [
                set(t.domainsToMarketing, { category: 'marketing' }),
                tracked
                  ? set(t.domainsTrackOff, { track_clicks: 'off' })
                  : set(t.domainsTrackOn, { track_clicks: 'on' }),
              ]
        }
      </div>`
    }`;
}

/** The rotation of the key: begun, then activated or cancelled. */
function keyPart(visit: Visit, { id, dns }: ShownDomain, { why, rotating }: Tried): Html {
  const { t, base, csrf, access, services } = visit;
  const to = `${base}/domains/${id}/rotate`;
  const forces = why !== null && rotating && mayForce({ access, config: services.config });
  const isPending = hasPending(dns);
  const activate = { label: t.domainsKeyActivate, confirm: t.domainsKeyActivateSure, fields: { activate: 'on' } };
  const force = { label: t.domainsForce, confirm: t.domainsKeyForceSure, fields: { activate: 'on', force: 'on' } };
  const buttons = isPending
    ? [
        button(csrf, { to, ...activate, kind: 'main' }),
        forces && button(csrf, { to, ...force, kind: 'danger' }),
        button(csrf, { to, label: t.domainsKeyCancel, confirm: t.domainsKeyCancelSure, fields: { cancel: 'on' } }),
      ]
    : button(csrf, { to, label: t.domainsKeyNew });
  return html`<h2 id="key">${t.domainsKey}</h2>
    <p>${isPending ? t.domainsKeyPending : t.domainsKeyAbout}</p>
    ${mayHere(visit, 'developer') && html`<div class="acts">${buttons}</div>`}`;
}

/** One domain: its status, its records as published, and its type of email. */
export function domainView(visit: Visit, of: ShownDomain, plan: WarmupPlan, tried: Tried): Html {
  const { t, base } = visit;
  return html`<p><a href="${base}/domains">${t.domainsTitle}</a></p>
    <h1>${of.domain}</h1>
    ${fault(tried.why)}${facts([
      [t.domainsStatus, stateTag(t, of.status)],
      [t.domainsKind, kindText(t, of)],
      of.category === 'transactional' && [t.domainsTracked, of.track_clicks ? t.yes : t.no],
      [t.domainsAdded, time(t, of.created_at)],
    ])}
    ${mayHere(visit, 'developer') && stateButtons(visit, of, tried)}
    <h2>${t.domainsRecords}</h2>
    <p class="soft">${filled(t.domainsRecordsAbout, { domain: of.domain })}</p>
    ${recordsView(visit, of, tried.looked)}
    <details class="panel">
      <summary>${t.domainsZone}</summary>
      <pre tabindex="0">${of.dns
        .map(({ zone }) => zone ?? '')
        .filter(Boolean)
        .join('\n')}</pre>
    </details>
    ${warmupPart(visit, of, plan)} ${keyPart(visit, of, tried)} ${mailPart(visit, of)}`;
}
