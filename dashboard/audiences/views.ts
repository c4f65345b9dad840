import type { AUDIENCE } from '../../operations/contacts/audience';
import type { AnswerOf } from '../../operations/definition';
import { membershipTag, statusTag } from '../contacts/tags';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import {
  copyable,
  copyableLines,
  count,
  facts,
  filledHtml,
  further,
  newLink,
  table,
  time,
  button,
} from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled, type Texts } from '../texts/texts';

export type Audience = AnswerOf<typeof AUDIENCE.show>;
type Members = AnswerOf<typeof AUDIENCE.members>;
type PublicForm = AnswerOf<typeof AUDIENCE.form>;

const pathOf = ({ base }: Visit, { id }: Audience): string => `${base}/audiences/${id}`;

const optInText = (t: Texts, mode: string): string => (mode === 'double' ? t.audiencesDouble : t.audiencesSingle);

/** How many a campaign would go to; of an audience too large to count, how many at most. */
export const reachText = (
  { t, language }: Pick<Visit, 't' | 'language'>,
  { reachable_count: reach, contacts_count: members }: Pick<Audience, 'reachable_count' | 'contacts_count'>,
): string => (reach === null ? filled(t.audiencesAtMost, { count: count(members, language) }) : count(reach, language));

/** What is chosen from for the opt-in. */
export const optInChoices = (t: Texts): { value: string; label: string }[] =>
  ['single', 'double'].map((value) => ({ value, label: optInText(t, value) }));

export const listView = (visit: Visit, data: readonly Audience[]): Html => {
  const { t, base, language } = visit;
  return html`<h1>${t.navAudiences}</h1>
    ${newLink(visit, `${base}/audiences/new`, t.audiencesNew)}
    ${table(
      t.navAudiences,
      data,
      [
        { title: t.audiencesName, cell: (of) => html`<a href="${pathOf(visit, of)}">${of.name}</a>` },
        { title: t.audiencesReach, cell: (of) => reachText(visit, of), is: 'number' },
        { title: t.audiencesMembers, cell: (of) => count(of.contacts_count, language), is: 'number' },
        { title: t.audiencesOptIn, cell: (of) => optInText(t, of.opt_in_mode) },
        { title: t.audiencesCreatedAt, cell: (of) => time(t, of.created_at), is: 'time' },
      ],
      t.audiencesNone,
    )}`;
};

const membersTable = ({ t, base }: Visit, { data }: Members): Html =>
  table(
    t.audiencesMembers,
    data,
    [
      { title: t.contactsEmail, cell: (of) => html`<a href="${base}/contacts/${of.contact_id}">${of.email}</a>` },
      { title: t.contactsName, cell: (of) => of.name },
      { title: t.contactsMembership, cell: (of) => membershipTag(t, of.membership) },
      { title: t.contactsStatus, cell: (of) => statusTag(t, of.status) },
      { title: t.contactsJoined, cell: (of) => time(t, of.joined_at), is: 'time' },
    ],
    t.audiencesNoMembers,
  );

/** A form that bounces have paused. */
function paused(visit: Visit, of: Audience): Html {
  const { t, csrf } = visit;
  if (of.form_paused_at === null) return NOTHING;
  return html`<p class="notice warn">${filledHtml(t.audiencesPaused, { at: time(t, of.form_paused_at) })}</p>
    ${
      mayHere(visit, 'editor') &&
      html`<div class="acts">${button(csrf, { to: `${pathOf(visit, of)}/resume-form`, label: t.audiencesResume })}</div>`
    }`;
}

/** An audience: what it is, its members, and its settings for those who may change them. */
export function audienceView(visit: Visit, of: Audience, members: Members, settings: Html): Html {
  const { t, base, language } = visit;
  const path = pathOf(visit, of);
  const { next_after: after } = members;
  return html`<p><a href="${base}/audiences">${t.navAudiences}</a></p>
    <h1>${of.name}</h1>
    ${paused(visit, of)}
    ${facts([
      [t.audiencesDescription, of.description],
      [t.audiencesReach, reachText(visit, of)],
      [t.audiencesMembers, count(of.contacts_count, language)],
      [t.audiencesOptIn, optInText(t, of.opt_in_mode)],
      [t.audiencesCreatedAt, time(t, of.created_at)],
    ])}
    <div class="acts">
      <a class="button plain" href="${path}/form">${t.audiencesForm}</a>${
        mayHere(visit, 'editor') &&
        html`<a class="button plain" href="${base}/contacts/add?audience=${of.id}">${t.contactsAdd}</a
          ><a class="button plain" href="${base}/contacts/import?audience=${of.id}">${t.importsTitle}</a
          ><a class="button plain" href="${path}/export" download>${t.audiencesExport}</a>`
      }
    </div>
    <h2>${t.audiencesMembers}</h2>
    ${membersTable(visit, members)}${further(t, path, { after })}${settings}`;
}

/** The form of an audience: its page, its code, and the mail that asks to confirm. */
export function formView(visit: Visit, of: Audience, form: PublicForm): Html {
  const { t } = visit;
  const path = pathOf(visit, of);
  const { confirmation } = form;
  return html`<p><a href="${path}">${of.name}</a></p>
    <h1>${t.audiencesForm}</h1>
    <h2>${t.audiencesFormPage}</h2>
    <p>${t.audiencesFormLink}</p>
    <p>
      <a href="${form.form_url}" target="_blank" rel="noreferrer">${t.audiencesFormPage}</a>: ${copyable(t, form.form_url)}
    </p>
    <h2>${t.audiencesCode}</h2>
    <p>${t.audiencesCodeHelp} ${of.redirect_hosts.length === 0 && t.audiencesRedirect}</p>
    ${copyableLines(t, form.html)}
    <h2>${t.audiencesConfirmMail}</h2>
    ${
      confirmation
        ? html`<p>${t.audiencesSubject}: <b>${confirmation.subject}</b></p>
            <iframe
              class="mail"
              sandbox
              title="${t.audiencesConfirmMail}"
              loading="lazy"
              src="${path}/confirmation"
            ></iframe>`
        : html`<p>${t.audiencesNoConfirm}</p>`
    }`;
}
