import { html, type Html } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { card, count, facts, rupiah, stateTag, table, tag, time, withQuery } from '../kit/components';
import type { Visit } from '../kit/screen';
import { statusTag as mailTag, type Listed as Mails } from '../messages/tags';
import { filled, type Texts } from '../texts/texts';
import { wordOf } from '../texts/word-of';
import { membershipTag, statusTag, type Shown } from './tags';

const SOURCES: Readonly<Record<string, keyof Texts>> = {
  form: 'contactsForm',
  api: 'contactsApi',
  cli: 'contactsCli',
  import: 'contactsImport',
  confirmation: 'contactsConfirmation',
};

function standing({ t, base }: Visit, { email, blocked_by: reason }: Shown): Html {
  if (reason === null) return tag(t.contactsCan, 'good');
  return html`${filled(t.contactsBlocked, { reason: wordOf(t, reason) })}
    <a href="${withQuery(`${base}/suppressions`, { email })}">${t.contactsWhyBlocked}</a>`;
}

function activity({ t, language }: Visit, { engagement }: Shown): Html {
  if (!engagement) return html`<p class="soft">${t.contactsNoActivity}</p>`;
  const byPeople = (n: number, of: number): string =>
    n === of ? t.contactsAllPeople : filled(t.contactsByPeople, { count: count(n, language) });
  return html`<ul class="cards">
      ${card(t.contactsOpened, count(engagement.opened, language), byPeople(engagement.opened_by_people, engagement.opened))}${card(
        t.contactsClicked,
        count(engagement.clicked, language),
        byPeople(engagement.clicked_by_people, engagement.clicked),
      )}
    </ul>
    <p>${t.contactsLastActive}: ${time(t, engagement.last_activity_at)}</p>`;
}

const memberships = ({ t, base }: Visit, of: Shown): Html =>
  table(
    t.contactsMemberships,
    of.memberships,
    [
      {
        title: t.contactsAudience,
        cell: (one) => html`<a href="${base}/audiences/${one.audience_id}">${one.audience ?? one.audience_id}</a>`,
      },
      { title: t.contactsMembership, cell: (one) => membershipTag(t, one.membership) },
      { title: t.contactsJoined, cell: (one) => time(t, one.joined_at), is: 'time' },
      { title: t.contactsUntil, cell: (one) => time(t, one.pending_until), is: 'time' },
    ],
    t.contactsMembershipsNone,
  );

function consents({ t }: Visit, of: Shown): Html {
  const names = new Map(of.memberships.map((one) => [one.audience_id, one.audience]));
  return table(
    t.contactsConsent,
    of.consent,
    [
      { title: t.contactsWhen, cell: ({ at }) => time(t, at), is: 'time' },
      {
        title: t.contactsSource,
        cell: ({ source, by }) => {
          const key = SOURCES[source];
          const where = key ? t[key] : source;
          return by === undefined ? where : `${where} (${by})`;
        },
      },
      {
        title: t.contactsAudience,
        cell: ({ audience_id: id }) => (id === null ? t.contactsWhole : (names.get(id) ?? id)),
      },
    ],
    t.contactsConsentNone,
  );
}

const journeys = ({ t, base }: Visit, of: Shown): Html =>
  table(
    t.contactsJourneys,
    of.journeys,
    [
      {
        title: t.contactsJourney,
        cell: (one) => html`<a href="${base}/journeys/${one.journey_id}">${one.journey ?? one.journey_id}</a>`,
      },
      { title: t.contactsStatus, cell: ({ status }) => stateTag(t, status) },
      { title: t.contactsEntered, cell: (one) => time(t, one.enrolled_at), is: 'time' },
      { title: t.contactsEnded, cell: (one) => time(t, one.ended_at), is: 'time' },
    ],
    t.contactsJourneysNone,
  );

const mails = ({ t, base, language }: Visit, { email }: Shown, listed: Mails): Html => {
  const { data } = listed;
  const total = listed.looked_back_to === undefined ? listed.total : data.length;
  return html`${table(
    t.contactsMails,
    data,
    [
      { title: t.contactsWhen, cell: (one) => time(t, one.created_at), is: 'time' },
      {
        title: t.contactsSubject,
        cell: (one) => html`<a href="${base}/messages/${one.message_id}">${one.subject || '–'}</a>`,
      },
      { title: t.contactsStatus, cell: (one) => mailTag(t, one.status) },
    ],
    t.contactsMailsNone,
  )}${
    total > data.length &&
    html`<p><a href="${withQuery(`${base}/messages`, { to: email })}">${t.contactsAllMails} (${count(total, language)})</a></p>`
  }`;
};

const sales = ({ t, base, language }: Visit, of: Shown): Html =>
  table(
    t.contactsSales,
    of.conversions,
    [
      {
        title: t.contactsSold,
        cell: (one) => html`<a href="${base}/conversions/${one.id}">${time(t, one.occurred_at)}</a>`,
        is: 'time',
      },
      { title: t.contactsAmount, cell: (one) => rupiah(one.amount, language), is: 'number' },
      { title: t.contactsOrder, cell: (one) => one.order_id },
    ],
    t.contactsSalesNone,
  );

/** What may be done with a person. */
const actions = (visit: Visit, { id }: Shown, resubscribe: Html): Html => {
  const { t, base } = visit;
  const path = `${base}/contacts/${id}`;
  return html`${resubscribe}
    <h2>${t.contactsData}</h2>
    <p class="help">${t.contactsDataHelp}</p>
    <div class="acts">
      <a class="button plain" href="${path}/data" download>${t.contactsDownload}</a
      ><a class="button plain" href="${path}/delete">${t.contactsErase}</a>
    </div>`;
};

/** A contact: who it is, whether it gets mail, and everything that happened. */
export function contactView(visit: Visit, of: Shown, found: Mails, resubscribe: Html): Html {
  const { t, base } = visit;
  return html`<p><a href="${base}/contacts">${t.navContacts}</a></p>
    <h1>${of.email}</h1>
    ${facts([
      [t.contactsName, of.name],
      [t.contactsStatus, statusTag(t, of.status)],
      [t.contactsMail, standing(visit, of)],
      [t.contactsSubscribedAt, time(t, of.subscribed_at)],
      of.unsubscribed_at !== null && [t.contactsUnsubscribedAt, time(t, of.unsubscribed_at)],
      [t.contactsCreated, time(t, of.created_at)],
      [t.contactsChanged, time(t, of.updated_at)],
      [t.contactsId, html`<code>${of.id}</code>`],
    ])}
    <h2>${t.contactsMails}</h2>
    ${mails(visit, of, found)}
    <h2>${t.contactsActivity}</h2>
    ${activity(visit, of)}
    <h2>${t.contactsSales}</h2>
    ${sales(visit, of)}
    <h2>${t.contactsMemberships}</h2>
    ${memberships(visit, of)}
    <h2>${t.contactsConsent}</h2>
    ${consents(visit, of)}
    <h2>${t.contactsJourneys}</h2>
    ${journeys(visit, of)} ${mayHere(visit, 'editor') && actions(visit, of, resubscribe)}`;
}
