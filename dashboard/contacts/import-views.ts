import type { ImportReport } from '../../operations/contacts/import-record';
import type { CONTACT } from '../../operations/contacts/contact';
import type { AnswerOf, Fault } from '../../operations/definition';
import { html, NOTHING, type Html } from '../kit/html';
import { count, facts, fault, percent, table } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled, type Texts } from '../texts/texts';
import { isStopped, type ImportJob } from '../../operations/contacts/import-jobs';

type Columns = AnswerOf<typeof CONTACT.columns>;

/** A file that was sent, and where its contacts go. */
export interface Given {
  name: string;
  bytes: Buffer;
  audience: string;
}

/** The fields that a column may be chosen for. */
export const FIELDS = {
  email: 'importsEmail',
  name: 'importsName',
  first_name: 'importsFirstName',
  last_name: 'importsLastName',
  status: 'importsStatus',
} as const satisfies Record<string, keyof Texts>;

const option = (value: string, label: string, chosen: string): Html =>
  html`<option value="${value}" ${value === chosen ? html` selected` : NOTHING}>${label}</option>`;

/** The form that takes the file. */
export const uploadView = (
  { t, base, csrf }: Visit,
  audiences: readonly { id: number; name: string }[],
  { audience, why }: { audience: string; why: string | null },
): Html =>
  html`<p><a href="${base}/contacts">${t.navContacts}</a></p>
    <h1>${t.importsTitle}</h1>
    <p>${t.importsWhat}</p>
    <form class="fields" method="post" action="${base}/contacts/import" enctype="multipart/form-data">
      ${csrf}${fault(why)}
      <div>
        <label for="f-file">${t.importsFile} <span class="soft">(${t.required})</span></label>
        <input id="f-file" type="file" name="file" accept=".csv,.txt,text/csv,text/plain" required />
      </div>
      <div>
        <label for="f-audience">${t.importsAudience}</label>
        <select id="f-audience" name="audience">
          ${option('', t.importsNoAudience, audience)}${audiences.map(({ id, name }) => option(String(id), name, audience))}
        </select>
      </div>
      <p><button>${t.importsRead}</button></p>
    </form>`;

/** What a column may say of who gets mail. */
export const MEANINGS = {
  status: 'importsMeansStatus',
  subscribed: 'importsMeansSubscribed',
  unsubscribed: 'importsMeansUnsubscribed',
  bounced: 'importsMeansBounced',
  complained: 'importsMeansComplained',
  confirmed: 'importsMeansConfirmed',
  nothing: 'importsMeansNothing',
} as const satisfies Record<string, keyof Texts>;

/** The name of the field that says what a column means. */
export const meansField = (column: string): string => `means:${column}`;

/** A column of which it must be known what it says of who gets mail; `values` null: a known export explains it. */
function meaningView(
  { t, form }: Visit,
  { column, values }: { column: string; values: readonly string[] | null },
  n: number,
): Html {
  const chosen = form.get(meansField(column))?.at(-1) ?? '';
  const isAsked = values !== null;
  return html`<div>
    <label for="f-means-${n}"
      >${filled(t.importsMeans, { column })}${isAsked ? html` <span class="soft">(${t.required})</span>` : NOTHING}</label
    >
    <select id="f-means-${n}" name="${meansField(column)}" ${isAsked ? html` required` : NOTHING}>
      ${option('', isAsked ? t.importsMeansChoose : t.importsMeansKnown, chosen)}${Object.entries(MEANINGS).map(
        ([value, label]) => option(value, t[label], chosen),
      )}
    </select>
    ${values !== null && values.length > 0 && html`<p class="help">${filled(t.importsValues, { values: values.join(', ') })}</p>`}
  </div>`;
}

/** The columns that say who may get no mail, or may do so: once each. */
function meaningsView(visit: Visit, of: Columns): Html {
  const { t } = visit;
  const doubtful = new Map(of.doubtful.map(({ column, values }) => [column, values]));
  const known = of.standings.map(({ column }) => column).filter((column) => column !== of.columns['status']);
  const asked = [...new Set([...doubtful.keys(), ...known])];
  if (asked.length === 0) return NOTHING;
  return html`<fieldset>
    <legend>${t.importsMeansTitle}</legend>
    <p class="help">${t.importsMeansHelp}</p>
    ${asked.map((column, n) => meaningView(visit, { column, values: doubtful.get(column) ?? null }, n))}
  </fieldset>`;
}

/** What happens without consent, in numbers. */
function confirmationsView({ t, language }: Visit, of: Columns['confirmations']): Html {
  if (!of) return NOTHING;
  const values = { mails: of.mails, coins: of.coins, balance: count(of.balance, language) };
  return html`<input type="hidden" name="confirmations" value="${of.mails}" />
    ${of.mails > 0 && html`<p class="notice">${filled(t.importsConfirmations, values)}</p>`}`;
}

const fieldView = (t: Texts, field: keyof typeof FIELDS, of: Columns, chosen: string): Html =>
  html`<div>
    <label for="f-${field}"
      >${t[FIELDS[field]]}${field === 'email' ? html` <span class="soft">(${t.required})</span>` : NOTHING}</label
    >
    <select
      id="f-${field}"
      name="${field}"
      ${field === 'email' ? html` required` : NOTHING}
    >
      ${option('', field === 'email' ? t.importsMeansChoose : t.importsNoColumn, chosen)}${of.header.map((name) => option(name, name, chosen))}
    </select>
  </div>`;

/** The first lines of the file, and the question which column is what. */
export function mappingView(visit: Visit, given: Given, of: Columns, why: Fault | null): Html {
  const { t, base, csrf, form } = visit;
  const isConsent = why?.field === 'consent';
  const chosen = (field: string): string => form.get(field)?.at(-1) ?? of.columns[field] ?? '';
  const fields = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
  return html`<p><a href="${base}/contacts/import">${t.importsTitle}</a></p>
    <h1>${t.importsMapTitle}</h1>
    <h2>${filled(t.importsSample, { name: given.name })}</h2>
    ${table(
      given.name,
      of.sample,
      of.header.map((title, i) => ({ title, cell: (row: readonly string[]) => row[i] ?? '' })),
      t.none,
    )}
    <form class="fields" method="post" action="${base}/contacts/import/start" enctype="multipart/form-data">
      ${csrf}${fault(why && !isConsent ? why.message : null)}
      <input type="hidden" name="filename" value="${given.name}" /><input
        type="hidden"
        name="content"
        value="${given.bytes.toString('base64')}"
      /><input type="hidden" name="audience" value="${given.audience}" /><input
        type="hidden"
        name="known_status"
        value="${of.columns['status'] ?? ''}"
      />
      ${fields.map((field) => fieldView(t, field, of, chosen(field)))}${meaningsView(visit, of)}
      <div>
        <label
          ><input
            type="checkbox"
            name="consent"
            value="on"
            ${of.confirmations ? NOTHING : html` required`}
            ${form.get('consent')?.at(-1) === 'on' ? html` checked` : NOTHING}
            ${isConsent ? html` aria-invalid="true" aria-describedby="consent-fault"` : NOTHING}
          />${t.importsConsent}</label
        >
        ${isConsent ? html`<p class="fault" id="consent-fault">${why.message}</p>` : NOTHING}
      </div>
      ${confirmationsView(visit, of.confirmations)}
      <p class="help">${t.importsKnown}</p>
      <p><button>${t.importsStart}</button></p>
    </form>`;
}

function reportView({ t, language }: Visit, report: ImportReport): Html {
  const { errors = [], lines, created, existing, refused, still_subscribed: kept = 0 } = report;
  const figure = (label: string, n: number): readonly [string, string] => [label, count(n, language)];
  return html`${facts([
    figure(t.importsLines, lines),
    figure(t.importsCreated, created),
    figure(t.importsExisting, existing),
    figure(t.importsRefused, refused),
    ...(kept > 0 ? [figure(t.importsKept, kept)] : []),
  ])}
  ${
    refused > 0 &&
    html`<h2>${t.importsRefusedTitle}</h2>
      ${refused > errors.length && html`<p class="soft">${t.importsFirst}</p>`}${table(
        t.importsRefusedTitle,
        errors,
        [
          { title: t.importsLine, cell: ({ line }) => count(line, language), is: 'number' },
          { title: t.importsWhy, cell: ({ reason }) => reason },
        ],
        t.none,
      )}`
  }`;
}

/** How far an import is, or its report; asks for itself again until it has ended. */
export function jobPart(visit: Visit, job: ImportJob): Html {
  const { t, base, language } = visit;
  const { name, audience, ended, read, total } = job.body;
  const path = `${base}/contacts/imports/${job.id}`;
  if (isStopped(job)) return stoppedPart(visit, job);
  if (ended === null) {
    const part = percent(Math.min(read, total), total, language);
    return html`<section id="import" hx-get="${path}" hx-trigger="every 1s" hx-swap="outerHTML">
      <h1>${filled(t.importsRuns, { name })}</h1>
      <progress aria-label="${t.importsTitle}" value="${read}" max="${Math.max(total, 1)}"></progress>
      <p>${filled(t.importsPart, { percent: part })} <a href="${path}">${t.importsLook}</a></p>
    </section>`;
  }
  const to = audience === null ? `${base}/contacts` : `${base}/audiences/${audience}`;
  const back = html`<p><a href="${to}">${audience === null ? t.navContacts : t.navAudiences}</a></p>`;
  if (ended !== 'broken' && ended.ok) {
    return html`<section id="import">
      <h1>${filled(t.importsDone, { name })}</h1>
      ${reportView(visit, ended.json)}${back}
    </section>`;
  }
  return html`<section id="import">
    <h1>${filled(t.importsFailed, { name })}</h1>
    ${fault(ended === 'broken' ? t.importsServer : ended.fault.message)}
    <p>${t.importsAgain}</p>
    <p><a href="${base}/contacts/import">${t.importsTitle}</a></p>
  </section>`;
}

/** An import whose process is gone. */
const stoppedPart = (visit: Visit, { body: { name, line } }: ImportJob): Html =>
  html`<section id="import">
    <h1>${filled(visit.t.importsFailed, { name })}</h1>
    ${fault(filled(visit.t.importsStopped, { line: count(line, visit.language) }))}
    <p>${visit.t.importsAgain}</p>
    <p><a href="${visit.base}/contacts/import">${visit.t.importsTitle}</a></p>
  </section>`;

/** An import that is not known, or not any more. */
export const unknownView = ({ t, base }: Visit): Html =>
  html`<section id="import">
    <h1>${t.importsTitle}</h1>
    <p>${t.importsUnknown} ${t.importsAgain}</p>
    <p><a href="${base}/contacts/import">${t.importsTitle}</a></p>
  </section>`;
