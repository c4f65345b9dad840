import { randomUUID } from 'node:crypto';
import type { Fault } from '../../operations/definition';
import { BASE } from '../kit/cookies';
import { filterForm } from '../kit/filters';
import { formOf } from '../kit/forms';
import { html, type Html } from '../kit/html';
import { button, card, count, facts, fault, pager, stateTag, table, time, withQuery } from '../kit/parts';
import type { Visit } from '../kit/screen';
import type { Listed, ShownWorkspace, Workspace } from './shape';

const PATH = `${BASE}/workspaces`;
const pathOf = ({ id }: Workspace): string => `${PATH}/${id}`;

/** What was sent, and why it was refused. */
export interface Sent {
  operation: string;
  values: Readonly<Record<string, unknown>>;
  fault: Fault;
}

const filledIn = (sent: Sent | null, operation: string) =>
  sent?.operation === operation && { values: sent.values, fault: sent.fault };

/** Every workspace, and the form that makes one. */
export async function listView(visit: Visit, { data, next_after: next }: Listed, sent: Sent | null): Promise<Html> {
  const { t, language, query, csrf } = visit;
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
        { title: t.overviewCreated, is: 'time', cell: (of) => time(of.created_at) },
      ],
      t.workspacesNone,
    )}
    ${pager(t, null, next === null ? null : withQuery(PATH, { ...query, after: next }))}
    <h2>${t.workspacesCreate}</h2>
    ${await formOf({
      operation: 'workspace.create',
      fields: {
        name: { label: t.workspacesFind },
        business_name: { label: t.workspacesBusiness },
        address: { label: t.workspacesAddress },
      },
      to: PATH,
      button: t.workspacesCreate,
      ...{ t, csrf },
      ...filledIn(sent, 'workspace.create'),
    })}`;
}

/** What an operator does with a workspace as a whole. */
function acts({ t, csrf }: Visit, of: Workspace): Html {
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
async function booking({ t, csrf }: Visit, of: Workspace, sent: Sent | null): Promise<Html> {
  const once = html`${csrf}<input type="hidden" name="reference" value="${randomUUID()}" />`;
  return html`<h2>${t.workspacesTopUp}</h2>
    <p class="soft">${t.workspacesTopUpAbout}</p>
    <div class="split">
      ${await formOf({
        operation: 'coins.top-up',
        fields: { coins: { label: t.workspacesTopUpCoins }, expires: { label: t.workspacesExpires } },
        to: `${pathOf(of)}/top-up`,
        button: t.workspacesTopUpDo,
        ...{ t, csrf: once },
        ...filledIn(sent, 'coins.top-up'),
      })}
      ${await formOf({
        operation: 'coins.grant',
        fields: { coins: { label: t.workspacesGrantCoins } },
        to: `${pathOf(of)}/grant`,
        button: t.workspacesGrantDo,
        ...{ t, csrf: once },
        ...filledIn(sent, 'coins.grant'),
      })}
    </div>`;
}

/** The send rate, and the form that gives another. */
async function ratePart({ t, csrf, language }: Visit, of: ShownWorkspace, sent: Sent | null): Promise<Html> {
  const { send_per_minute: perMinute, send_per_day: perDay } = of;
  const to = `${pathOf(of)}/rate`;
  return html`<h2>${t.workspacesRate}</h2>
    <p class="soft">${t.workspacesRateAbout}</p>
    <p>
      ${count(perMinute, language)} ${t.workspacesPerMinute},
      ${perDay === null ? t.workspacesNoCap : html`${count(perDay, language)} ${t.workspacesPerDay}`}
    </p>
    ${of.own_rate && button(csrf, { to, label: t.workspacesRateDefault, fields: { default: 'on' } })}
    ${await formOf({
      operation: 'workspace.rate',
      fields: { per_minute: { label: t.workspacesPerMinute }, per_day: { label: t.workspacesPerDayOrNone } },
      to,
      button: t.workspacesRateSet,
      ...{ t, csrf, values: { per_minute: perMinute, per_day: perDay ?? 'none' } },
      ...filledIn(sent, 'workspace.rate'),
    })}`;
}

/** One workspace, as its operator sees it. */
export async function workspaceView(visit: Visit, of: ShownWorkspace, sent: Sent | null): Promise<Html> {
  const { t, language } = visit;
  const elsewhere =
    sent && !['coins.top-up', 'coins.grant', 'workspace.rate'].includes(sent.operation) ? sent.fault.message : null;
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
      [t.overviewCreated, time(of.created_at)],
    ])}
    ${await ratePart(visit, of, sent)} ${await booking(visit, of, sent)}`;
}
