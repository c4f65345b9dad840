import type { Texts } from '../texts/texts';
import { html, NOTHING, type Html } from './html';
import { options } from './components';

/** A field that narrows a list; its value lies in the address. */
export interface Filter {
  name: string;
  label: string;
  /** What is chosen from, beside everything. */
  choices?: readonly { value: string; label: string }[];
  /** A value as an example; the field is as wide as it needs. */
  placeholder?: string;
  /** What else may be written. */
  title?: string;
  /** One of the choices is always taken; the first, unless the address says another. */
  isRequired?: true;
}

/** The form that narrows a list by what lies in the address; `button` is what its button says. */
export const filterForm = (
  t: Texts,
  path: string,
  filters: readonly Filter[],
  query: Readonly<Record<string, string>>,
  /** What is used less often: folded up, unless the address has one of them. */
  more: readonly Filter[] = [],
  button = t.search,
): Html =>
  html`<form class="row" method="get" action="${path}">
    ${filters.map((one) => filterField(t, one, query[one.name] ?? ''))}${
      more.length === 0
        ? NOTHING
        : html`<details class="all" ${more.some(({ name }) => query[name]) ? html` open` : NOTHING}>
            <summary>${t.moreFilters}</summary>
            <div class="row">${more.map((one) => filterField(t, one, query[one.name] ?? ''))}</div>
          </details>`
    }<button>${button}</button> <a class="button plain" href="${path}">${t.reset}</a>
  </form>`;

const filterField = (
  t: Texts,
  { name, label, choices, placeholder = '', title, isRequired }: Filter,
  value: string,
): Html =>
  html`<div>
    <label for="q-${name}">${label}</label>${
      choices
        ? html`<select id="q-${name}" name="${name}">
            ${isRequired ? NOTHING : html`<option value="">${t.all}</option>`}
            ${options(choices, value)}
          </select>`
        : html`<input
            id="q-${name}"
            name="${name}"
            value="${value}"
            placeholder="${placeholder}"
            size="${placeholder === '' ? 20 : Math.max(12, placeholder.length)}"
            ${title ? html` title="${title}"` : NOTHING}
          />`
    }
  </div>`;

/** The filters that were filled in, as the fields of an operation. */
export function filtersOf<K extends string>(
  query: Readonly<Record<string, string>>,
  names: readonly K[],
): { readonly [N in K]?: string } {
  const given: { [N in K]?: string } = {};
  for (const name of names) {
    const value = query[name]?.trim() ?? '';
    if (value !== '') given[name] = value;
  }
  return given;
}
