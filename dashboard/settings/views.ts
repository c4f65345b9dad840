import { SCOPES, UNCONFIRMED, type Unconfirmed } from '../../domain/settings/workspace';
import type { AnswerOf, RowOf } from '../../operations/definition';
import { KEY } from '../../operations/workspaces/key';
import type { SMTP } from '../../operations/workspaces/smtp';
import { WORKSPACE } from '../../operations/workspaces/workspace';
import { formOf, type Sent } from '../kit/forms';
import type { Texts } from '../texts/texts';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { button, copyable, facts, table, tag, time } from '../kit/components';
import type { Visit } from '../kit/screen';

type Profile = AnswerOf<typeof WORKSPACE.show>;
type Key = RowOf<typeof KEY.list>;
type Login = RowOf<typeof SMTP.list>;

/** The forms that were refused. */
export type SentForms = Partial<Record<'profile' | 'key', Sent>>;

/** What the page shows; null is not for the role. */
export interface Settings {
  profile: Profile;
  keys: readonly Key[] | null;
  logins: readonly Login[] | null;
}

const languageText = (code: string): string => (code === 'id' ? 'Bahasa Indonesia' : 'English');

const unconfirmedText = (t: Texts, choice: Unconfirmed): string =>
  choice === 'resend' ? t.settingsResend : t.settingsFail;

function profilePart(visit: Visit, of: Profile, sent: Sent | null): Html {
  const { t, base } = visit;
  const head = html`<h2>${t.settingsProfile}</h2>
    <p class="soft">${t.settingsProfileAbout}</p>`;
  if (!mayHere(visit, 'owner')) {
    return html`${head}${facts([
      [t.settingsName, of.name],
      [t.settingsBusiness, of.business_name],
      [t.settingsAddress, of.business_address],
      [t.settingsLanguage, languageText(of.language)],
      [t.settingsUnconfirmed, unconfirmedText(t, of.unconfirmed)],
    ])}`;
  }
  const form = formOf(visit, {
    operation: WORKSPACE.profile,
    fields: {
      name: { label: t.settingsName },
      business_name: { label: t.settingsBusiness, help: t.settingsBusinessHelp },
      address: { label: t.settingsAddress, help: t.settingsAddressHelp },
      language: {
        label: t.settingsLanguage,
        choices: ['id', 'en'].map((value) => ({ value, label: languageText(value) })),
      },
      track_conversions: { label: t.settingsConversions },
      campaign_approval: { label: t.approvalSetting },
      unconfirmed: {
        label: t.settingsUnconfirmed,
        help: t.settingsUnconfirmedHelp,
        choices: UNCONFIRMED.map((value) => ({ value, label: unconfirmedText(t, value) })),
      },
    },
    to: `${base}/settings/profile`,
    button: t.save,
    values: { ...of, address: of.business_address },
    sent,
  });
  return html`${head}${form}`;
}

function keysPart(visit: Visit, keys: readonly Key[], sent: Sent | null): Html {
  const { t, base, csrf } = visit;
  const path = (id: number, name: string): string => `${base}/settings/keys/${id}/${name}`;
  const acts = ({ id, status }: Key): Html | null =>
    status === 'active'
      ? html`<div class="acts">
          ${button(csrf, { to: path(id, 'show'), label: t.settingsShow })}
          ${button(csrf, {
            to: path(id, 'revoke'),
            label: t.settingsRevoke,
            kind: 'danger',
            confirm: t.settingsRevokeSure,
          })}
        </div>`
      : null;
  const list = table(
    t.settingsKeys,
    keys,
    [
      { title: t.settingsKeyName, cell: ({ name }) => name },
      { title: t.settingsScopes, cell: ({ scopes }) => scopes.join(', ') },
      { title: t.settingsRate, cell: (of) => of.requests_per_minute ?? t.settingsDefault, is: 'number' },
      {
        title: t.settingsState,
        cell: ({ status }) =>
          tag(status === 'active' ? t.settingsActive : t.settingsRevoked, status === 'active' ? 'good' : ''),
      },
      { title: t.settingsCreated, cell: (of) => time(t, of.created_at), is: 'time' },
      { title: t.actions, cell: acts },
    ],
    t.settingsNoKeys,
  );
  const form = formOf(visit, {
    operation: KEY.create,
    fields: {
      name: { label: t.settingsKeyName, help: t.settingsKeyNameHelp },
      scopes: { label: t.settingsScopes, boxes: SCOPES.map((value) => ({ value, label: value })) },
      rate: { label: t.settingsRate, help: t.settingsRateHelp },
    },
    to: `${base}/settings/keys/create`,
    button: t.settingsKeyAdd,
    values: { scopes: 'send_email' },
    sent,
  });
  return html`<h2>${t.settingsKeys}</h2>
    <p class="soft">${t.settingsKeysAbout}</p>
    ${list}
    <details class="panel" ${sent && html` open`}>
      <summary>${t.settingsKeyAdd}</summary>
      ${form}
    </details>`;
}

function loginsPart({ t, base, csrf }: Visit, logins: readonly Login[]): Html {
  const path = (id: number, name: string): string => `${base}/settings/smtp/${id}/${name}`;
  const acts = ({ id }: Login): Html =>
    html`<div class="acts">
      ${button(csrf, { to: path(id, 'show'), label: t.settingsShow })}
      ${button(csrf, { to: path(id, 'rotate'), label: t.settingsRotate, confirm: t.settingsRotateSure })}
    </div>`;
  return html`<h2>${t.settingsLogins}</h2>
    <p class="soft">${t.settingsLoginsAbout}</p>
    ${table(
      t.settingsLogins,
      logins,
      [
        { title: t.settingsUsername, cell: ({ username }) => html`<code>${username}</code>` },
        { title: t.settingsCreated, cell: (of) => time(t, of.created_at), is: 'time' },
        { title: t.actions, cell: acts },
      ],
      t.settingsNoLogins,
    )}
    ${button(csrf, { to: `${base}/settings/smtp/create`, label: t.settingsLoginAdd })}
    <h2>${t.settingsSecrets}</h2>
    <p>${t.settingsSecretsAbout} <a href="${base}/webhooks">${t.navWebhooks}</a></p>`;
}

/** The settings, as far as the role sees them. */
export function settingsView(visit: Visit, { profile, keys, logins }: Settings, sent: SentForms): Html {
  return html`<h1>${visit.t.settingsTitle}</h1>
    ${
      mayHere(visit, 'owner') &&
      html`<p>
        <a href="${visit.base}/settings/members">${visit.t.settingsMembers}</a> ·
        <a href="${visit.base}/settings/admin-keys">${visit.t.adminKeysTitle}</a>
      </p>`
    }${profilePart(visit, profile, sent.profile ?? null)}${keys ? keysPart(visit, keys, sent.key ?? null) : NOTHING}${
      logins ? loginsPart(visit, logins) : NOTHING
    }`;
}

/** A secret that was asked for, or has just been made. */
export const secretView = ({ t, base }: Visit, title: string, facing: readonly (readonly [string, string])[]): Html =>
  html`<p><a href="${base}/settings">${t.settingsTitle}</a></p>
    <h1>${title}</h1>
    ${facts(facing.map(([name, value]) => [name, copyable(t, value)] as const))}
    <p class="notice warn">${t.settingsKeyNote}</p>`;
