import type { Variables } from '../../domain/messages/message';
import type { TemplateVariable, VariableType } from '../../domain/templates/template';
import { readUrl } from '../../lib/read-url';
import type { Source } from '../../schemas/rules/normalize';
import { VARIABLE_NAME } from '../../schemas/templates/template';
import { codePointsAtMost } from '../../schemas/rules/text';
import { validationMessage, type FaultCode, type FieldErrors } from '../../schemas/rules/validation-messages';
import { MAX_VALUE } from '../../schemas/templates/variables';

/** The most names that are no variables to report one by one. */
const MAX_NAMED = 20;
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

/**
 * The values that a caller gave for the variables of a template, as text; or every fault, named `variables.order`. Each
 * variable is required, of its type, and no other name may be there (docs/contract.md#template-variables). Forms give
 * numbers as text.
 */
export function readVariables(
  declared: readonly TemplateVariable[],
  given: Readonly<Record<string, unknown>>,
  source: Source,
): { values: Variables } | { errors: FieldErrors } {
  const errors: FieldErrors = {};
  const values: [string, string][] = [];
  const fail = (code: FaultCode, field: string): void => {
    errors[field] = [validationMessage(code, field, { limit: MAX_VALUE })];
  };
  for (const { name, type } of declared) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const read = readValue(type, value, source);
    if ('fault' in read) fail(read.fault, `variables.${name}`);
    else values.push([name, read.text]);
  }
  const names = new Set(declared.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !names.has(name));
  for (const name of unknown.filter((each) => VARIABLE_NAME.test(each)).slice(0, MAX_NAMED)) {
    fail('variable.unknown', `variables.${name}`);
  }
  // Other names are not repeated: they may be as long as the body.
  if (unknown.some((name) => !VARIABLE_NAME.test(name))) fail('variables.unknown', 'variables');
  return Object.keys(errors).length > 0 ? { errors } : { values: Object.fromEntries(values) };
}

function readValue(type: VariableType, value: unknown, source: Source): { text: string } | { fault: FaultCode } {
  if (value === undefined || value === null) return { fault: 'any.required' };
  if (type === 'number') return readNumber(value, source);
  if (typeof value !== 'string') return { fault: 'string.base' };
  if (!codePointsAtMost(value, MAX_VALUE)) return { fault: 'text.max' };
  return type === 'url' ? readLink(value.trim()) : { text: value };
}

function readNumber(value: unknown, source: Source): { text: string } | { fault: FaultCode } {
  if (source === 'form' && typeof value === 'string' && NUMBER.test(value.trim())) return { text: value.trim() };
  return typeof value === 'number' && Number.isFinite(value) ? { text: String(value) } : { fault: 'number.any' };
}

/** As written: it is escaped where it is shown. */
function readLink(value: string): { text: string } | { fault: FaultCode } {
  if (!/^https?:\/\//i.test(value)) return { fault: 'url.http' };
  return /[\s\p{Cc}]/u.test(value) || readUrl(value) === null ? { fault: 'url.invalid' } : { text: value };
}
