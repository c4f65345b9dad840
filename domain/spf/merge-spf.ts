import { parseSpf, termsOf } from './parse-spf';

/** How a record is to be changed. */
export interface SpfChange {
  /** Terms that must stand in it. */
  add: readonly string[];
  /** Terms that must go, beside those that are no terms of SPF. */
  drop?: readonly string[];
  /** What is added stands before this one, if it is there; else before `all` and the modifiers. */
  before?: string | null;
}

const isAll = (term: string): boolean => /^[+?~-]?all$/i.test(term);
const isModifier = (term: string): boolean => /^[a-z][a-z0-9._-]*=/i.test(term);

/**
 * One record with what all of them say, and the change made. It ends with `-all` or `~all`, unless it redirects; a
 * term that lets everybody send, or says nothing, becomes `~all`.
 */
export function mergeSpf(records: readonly string[], { add, drop = [], before = null }: SpfChange): string {
  const gone = new Set([...records.flatMap((record) => parseSpf(record).wrong), ...drop, ...add]);
  const all = [...new Set(records.flatMap(termsOf))].filter((term) => !gone.has(term));
  const end = all.findLast((term) => /^[~-]all$/i.test(term)) ?? '~all';
  const redirects = all.some((term) => /^redirect=/i.test(term));
  const terms = all.filter((term) => !isAll(term) && !isModifier(term));
  const modifiers = all.filter(isModifier);
  const at = before === null ? -1 : terms.indexOf(before);
  const whole = terms.toSpliced(at < 0 ? terms.length : at, 0, ...add);
  return ['v=spf1', ...whole, ...(redirects && !all.some(isAll) ? [] : [end]), ...modifiers].join(' ');
}
