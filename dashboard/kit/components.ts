import { filled, textsOf, type Language, type Texts } from '../texts/texts';
import { wordOf } from '../texts/word-of';
import { Html, html, NOTHING, type Piece } from './html';
import { mayHere } from './workspace-scope';
import type { Visit } from './screen';

type Tone = 'good' | 'bad' | 'warn' | '';

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  delivered: 'good',
  ok: 'good',
  completed: 'good',
  done: 'good',
  sent: 'good',
  confirmed: 'good',
  bounced: 'bad',
  failed: 'bad',
  suspended: 'bad',
  revoked: 'bad',
  dns_failed: 'bad',
  given_up: 'bad',
  complained: 'bad',
  pending_dns: 'warn',
  queued: 'warn',
  sending: 'warn',
  paused: 'warn',
  pending: 'warn',
  scheduled: 'warn',
  unsubscribed: 'warn',
};

/** The colour of a word of state, as operations say it. */
export const toneOf = (word: string): Tone => TONES[word] ?? '';

/** A word of state in its colour. */
export const tag = (word: string, tone: Tone = toneOf(word)): Html => html`<span class="tag ${tone}">${word}</span>`;

/** A word of state of an operation, in the language of the page. */
export const stateTag = (t: Texts, word: string, tone?: Tone): Html => tag(wordOf(t, word), tone ?? toneOf(word));

/** How times are written: here in UTC, and by the script of every page in the zone of the reader. */
export const TIME_FORM = { dateStyle: 'medium', timeStyle: 'short' } as const;

/** A time as operations answer it, exact to the second on hover. Null is a dash. */
export function time({ locale }: Texts, at: unknown): Html {
  if (typeof at !== 'string' && typeof at !== 'number') return html`–`;
  const exact = new Date(at);
  const shown = exact.toLocaleString(locale, { ...TIME_FORM, timeZone: 'UTC' });
  return html`<time datetime="${exact.toISOString()}" title="${exact.toISOString()}">${shown} UTC</time>`;
}

/** A day of a calendar, given as `YYYY-MM-DD`. */
export const day = ({ locale }: Texts, date: string): string =>
  new Date(date).toLocaleDateString(locale, { dateStyle: TIME_FORM.dateStyle, timeZone: 'UTC' });

/** A text with its placeholders filled in, times among them. */
export function filledHtml(text: string, values: Readonly<Record<string, string | number | Html>>): Html {
  const marked = Object.entries(values).map(([name, value]): [string, string | number] => [
    name,
    value instanceof Html ? `\0${name}\0` : typeof value === 'string' ? value.replaceAll('\0', '') : value,
  ]);
  const parts = filled(text, Object.fromEntries(marked)).split('\0');
  return html`${parts.map((part, i) => (i % 2 === 1 ? values[part] : part))}`;
}

const localeOf = (language: Language): string => textsOf(language).locale;

/** A number with separators. */
export const count = (n: number, language: Language): string => n.toLocaleString(localeOf(language));

/** A share in percent with one digit, or a dash when it is of nothing. */
export const percent = (part: number, of: number, language: Language): string =>
  of === 0 ? '–' : (part / of).toLocaleString(localeOf(language), { style: 'percent', maximumFractionDigits: 1 });

const RUPIAH = {
  style: 'currency',
  currency: 'IDR',
  currencyDisplay: 'narrowSymbol',
  maximumFractionDigits: 0,
} as const;

/** An amount of money. Revenue and sales are in rupiah. */
export const rupiah = (amount: number, language: Language): string => amount.toLocaleString(localeOf(language), RUPIAH);

const UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** The size of a file or a disk, in the unit that suits it. */
export function fileSize(bytes: number, language: Language): string {
  const power = Math.min(UNITS.length, Math.max(1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unit = UNITS[power - 1];
  return (bytes / 1_000 ** power).toLocaleString(localeOf(language), { style: 'unit', unit, maximumFractionDigits: 1 });
}

/** A column of a table: its title and the cell of a row. */
export interface Column<Row> {
  title: string;
  cell: (row: Row) => Piece;
  /** Numbers stand on the right. */
  is?: 'number' | 'time';
}

/** Without what is not to be shown. */
const present = <T>(all: readonly (T | false | null)[]): T[] =>
  all.filter((one): one is T => one !== false && one !== null);

/** A table, which scrolls by itself where it is too wide; `none` stands in place of no rows. */
export function table<Row>(
  caption: string,
  rows: readonly Row[],
  maybe: readonly (Column<Row> | false | null)[],
  none: string,
): Html {
  if (rows.length === 0) return html`<p class="soft">${none}</p>`;
  const columns = present(maybe);
  const classOf = ({ is }: Column<Row>): string => (is === 'number' ? 'num' : is === 'time' ? 'time' : '');
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption class="sr">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((one) => html`<th scope="col" class="${classOf(one)}">${one.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((one) => html`<td class="${classOf(one)}">${one.cell(row) ?? '–'}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Names and values, one a line. Null is a dash. */
export const facts = (entries: readonly (readonly [string, Piece] | false | null)[]): Html =>
  html`<dl class="facts">
    ${present(entries).map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value === null || value === '' ? '–' : value}</dd>`,
    )}
  </dl>`;

/** Copies what stands before it, where there is script. */
const copyButton = (t: Texts, text: string): Html =>
  html`<button type="button" class="link scripted" data-copy aria-label="${t.copy}: ${text.slice(0, 40)}">
    ${t.copy}
  </button>`;

/** A text that is pasted elsewhere, with a button that copies it where there is script. */
export const copyable = (t: Texts, text: string): Html => html`<code>${text}</code> ${copyButton(t, text)}`;

/** The same for several lines. */
export const copyableLines = (t: Texts, text: string): Html =>
  html`<pre tabindex="0">${text}</pre>
    ${copyButton(t, text)}`;

/** The way to the page that makes one more, for those who may. */
export const newLink = (visit: Visit, to: string, label: string): Html | false =>
  mayHere(visit, 'editor') && html`<p class="acts"><a class="button" href="${to}">${label}</a></p>`;

/** A figure with what it is of; leads to the list behind it. */
export const card = (label: string, figure: string, about: string, href: string | null = null): Html => {
  const inside = html`<b>${figure}</b>${label}<br /><small>${about}</small>`;
  return html`<li class="card">${href === null ? inside : html`<a href="${href}">${inside}</a>`}</li>`;
};

/** What went wrong, above a form. */
export const fault = (message: string | null): Html =>
  message === null ? NOTHING : html`<p class="notice bad" role="alert">${message}</p>`;

/** A button that does something at once, by POST. `confirm`: a question before what cannot be undone. */
export function button(csrf: Html, { to, label, confirm, fields = {}, kind = 'plain' }: ButtonSpec): Html {
  const asks = confirm === undefined ? {} : { [QUESTION]: confirm, [LABEL]: typeof label === 'string' ? label : '' };
  const hidden = Object.entries({ ...fields, ...asks }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form method="post" action="${to}" ${confirm ? html` data-confirm="${confirm}"` : NOTHING}>
    ${csrf}${hidden}<button class="${kind === 'main' ? '' : kind}">${label}</button>
  </form>`;
}

/**
 * Fields of a form that asks first: its question, the label of its button, and the answer, which the dialog of a script
 * or the page of the question adds (kit/question.ts).
 */
export const QUESTION = '_question';
export const LABEL = '_label';
export const SURE = '_sure';

interface ButtonSpec {
  to: string;
  label: Piece;
  confirm?: string;
  fields?: Readonly<Record<string, string | number>>;
  kind?: 'plain' | 'danger' | 'main';
}

/** Links to the pages of a list beside this one; `null` for none. */
export const pager = (t: Texts, previous: string | null, next: string | null): Html =>
  html`<nav class="pages" aria-label="${t.more}">
    ${previous && html`<a href="${previous}" rel="prev">${t.previous}</a>`}${next && html`<a href="${next}" rel="next">${t.next}</a>`}
  </nav>`;

/** The link to the next page of a list, which begins there; null behind the last one. */
export function further(
  t: Texts,
  path: string,
  begins: Readonly<Record<string, string | number | null>>,
  query: Readonly<Record<string, string>> = {},
): Html {
  const isLast = Object.values(begins).includes(null);
  return pager(t, null, isLast ? null : withQuery(path, { ...query, ...begins }));
}

/** The links beside a numbered page. */
export function numberedPager(
  { t, query }: Pick<Visit, 't' | 'query'>,
  path: string,
  { page, limit, total }: { page: number; limit: number; total: number },
): Html {
  const pageAt = (at: number): string => withQuery(path, { ...query, page: at });
  return pager(t, page > 1 ? pageAt(page - 1) : null, page * limit < total ? pageAt(page + 1) : null);
}

/** What a select is chosen from. */
export const options = (choices: readonly { value: string | number; label: string }[], chosen: string): Html =>
  html`${choices.map(
    ({ value, label }) =>
      html`<option value="${value}" ${String(value) === chosen ? html` selected` : NOTHING}>${label}</option>`,
  )}`;

/** An address with a query; empty values are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | null | undefined>>): string {
  const kept = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
  );
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept).toString()}`;
}
