import { randomUUID } from 'node:crypto';
import type { AnswerOf } from '../../operations/definition';
import { COINS } from '../../operations/ledger/coins';
import { WORKSPACE } from '../../operations/workspaces/workspace';
import { BASE } from '../kit/cookies';
import { filterForm } from '../kit/filters';
import { formOf, type Sent } from '../kit/forms';
import { html, type Html } from '../kit/html';
import { button, card, count, facts, fault, further, stateTag, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';

type ShownWorkspace = AnswerOf<typeof WORKSPACE.show>;

const PATH = `${BASE}/workspaces`;
const pathOf = ({ id }: { id: number }): string => `${PATH}/${id}`;

/** The form of a workspace that was refused, by its path; null for none. */
export type SentTo = { path: string; sent: Sent } | null;
const sentTo = (of: SentTo, path: string): Sent | null => (of?.path === path ? of.sent : null);

/** Every workspace, and the form that makes one. */
export function listView(
  visit: Visit,
  { data, next_after: next }: AnswerOf<typeof WORKSPACE.list>,
  sent: Sent | null,
): Html {
  const { t, language, query } = visit;
  return html`<h1>${t.workspacesTitle}</h1>
    ${filterForm(t, PATH, [{ name: 'name', label: t.workspacesFind }], query)}
    ${table(
      t.workspacesTitle,
      data,
      [
        { title: t.workspacesFind, cell: (of) => html`<a href="${pathOf(of)}">${of.name}</a>` },
        { title: t.healthStatus, cell: ({ status }) => stateTag(t, status) },
        { title: t.workspacesCoins, is: 'number', cell: ({ coins }) => count(coins, language) },
        { title: t.workspacesAccount, cell: ({ premium }) => (premium ? t.workspacesPremium : t.workspacesFree) },
        { title: t.overviewCreated, is: 'time', cell: (of) => time(t, of.created_at) },
      ],
      t.workspacesNone,
    )}
    ${further(t, PATH, { after: next }, query)}
    <h2>${t.workspacesCreate}</h2>
    ${formOf(visit, {
      operation: WORKSPACE.create,
      fields: {
        name: { label: t.workspacesFind },
        business_name: { label: t.workspacesBusiness },
        address: { label: t.workspacesAddress },
      },
      to: PATH,
      button: t.workspacesCreate,
      sent,
    })}`;
}

/** What an operator does with a workspace as a whole. */
function acts({ t, csrf }: Visit, of: ShownWorkspace): Html {
  const to = pathOf(of);
  const state =
    of.status === 'suspended'
      ? button(csrf, { to: `${to}/resume`, label: t.workspacesResume })
      : button(csrf, {
          to: `${to}/suspend`,
          label: t.workspacesSuspend,
          confirm: t.workspacesSuspendSure,
          kind: 'danger',
        });
  const module = button(csrf, {
    to: `${to}/module`,
    label: `${t.workspacesModule}: ${of.email_module ? t.healthSwitchOff : t.healthSwitchOn}`,
    fields: { state: of.email_module ? 'off' : 'on' },
  });
  return html`<div class="acts">
    <a class="button" href="${BASE}/w/${of.id}">${t.workspacesOpen}</a>${state}${module}
  </div>`;
}

/** A purchase and a gift; the reference makes a form that is sent twice book once. */
function booking(visit: Visit, of: ShownWorkspace, sent: SentTo): Html {
  const { t } = visit;
  const hidden = { reference: randomUUID() };
  return html`<h2>${t.workspacesTopUp}</h2>
    <p class="soft">${t.workspacesTopUpAbout}</p>
    <div class="split">
      ${formOf(visit, {
        operation: COINS.topUp,
        fields: { coins: { label: t.workspacesTopUpCoins }, expires: { label: t.workspacesExpires } },
        to: `${pathOf(of)}/top-up`,
        button: t.workspacesTopUpDo,
        hidden,
        sent: sentTo(sent, 'top-up'),
      })}
      ${formOf(visit, {
        operation: COINS.grant,
        fields: { coins: { label: t.workspacesGrantCoins } },
        to: `${pathOf(of)}/grant`,
        button: t.workspacesGrantDo,
        hidden,
        sent: sentTo(sent, 'grant'),
      })}
    </div>`;
}

/** The send rate, and the form that gives another. */
function ratePart(visit: Visit, of: ShownWorkspace, sent: SentTo): Html {
  const { t, csrf, language } = visit;
  const { send_per_minute: perMinute, send_per_day: perDay } = of;
  const to = `${pathOf(of)}/rate`;
  return html`<h2>${t.workspacesRate}</h2>
    <p class="soft">${t.workspacesRateAbout}</p>
    <p>
      ${count(perMinute, language)} ${t.workspacesPerMinute},
      ${perDay === null ? t.workspacesNoCap : html`${count(perDay, language)} ${t.workspacesPerDay}`}
    </p>
    ${of.own_rate && button(csrf, { to, label: t.workspacesRateDefault, fields: { default: 'on' } })}
    ${formOf(visit, {
      operation: WORKSPACE.rate,
      fields: { per_minute: { label: t.workspacesPerMinute }, per_day: { label: t.workspacesPerDayOrNone } },
      to,
      button: t.workspacesRateSet,
      values: { per_minute: perMinute, per_day: perDay ?? 'none' },
      sent: sentTo(sent, 'rate'),
    })}`;
}

/** One workspace, as its operator sees it. */
export function workspaceView(visit: Visit, of: ShownWorkspace, sent: SentTo): Html {
  const { t, language } = visit;
  const elsewhere = sent && !['top-up', 'grant', 'rate'].includes(sent.path) ? sent.sent.fault.message : null;
  return html`<h1>${of.name}</h1>
    ${fault(elsewhere)}${acts(visit, of)}
    <ul class="cards">
      ${card(
        t.workspacesCoins,
        count(of.coins, language),
        of.premium ? t.workspacesPremium : t.workspacesFree,
        `${BASE}/w/${of.id}/coins`,
      )}
    </ul>
    ${facts([
      [t.healthStatus, stateTag(t, of.status)],
      [t.workspacesModule, of.email_module ? t.healthOn : t.healthOff],
      [t.workspacesBusiness, of.business_name],
      [t.workspacesAddress, of.business_address],
      [t.overviewCreated, time(t, of.created_at)],
    ])}
    ${ratePart(visit, of, sent)} ${booking(visit, of, sent)}`;
}
