import type { Fields } from '../rules/normalize';

/** The names under which callers send the currency of a sale, in lower case without `_` and `-`. */
const NAMES: readonly string[] = ['currency', 'currencycode', 'matauang'];
/** How rupiah are written. */
const RUPIAH: readonly string[] = ['IDR', 'RP', 'RP.'];
/** Names that are looked at. */
const MAX_NAMES = 50;

/**
 * A warning for a sale that names another currency than rupiah, which is no field of POST /conversions
 * (docs/contract.md#report-a-conversion): the number is recorded as it is, as rupiah. `fields` are those of the body as
 * they came; empty for rupiah, and without a currency.
 */
export function currencyWarnings(fields: object, amount: number): string[] {
  const named = Object.keys(fields)
    .slice(0, MAX_NAMES)
    .find((name) => NAMES.includes(name.toLowerCase().replaceAll(/[_-]/g, '')));
  const value = named === undefined ? undefined : (fields as Fields)[named];
  if (named === undefined || typeof value !== 'string' || !/^\s*[A-Za-z]{2,3}\.?\s*$/.test(value)) return [];
  const code = value.trim().toUpperCase();
  if (RUPIAH.includes(code)) return [];
  const said = `amounts are whole rupiah, so this one was recorded as ${amount} rupiah, not ${code}`;
  return [`\`${named}\` is not a field: ${said}. Convert it to rupiah, without decimals, before you report a sale.`];
}
