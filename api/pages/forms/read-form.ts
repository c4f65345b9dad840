import getRawBody from 'raw-body';
import type { Context } from 'koa';
import type { Audience } from '../../../domain/contacts/audience';
import { readUrl } from '../../../lib/read-url';
import { isEmailAddress } from '../../../schemas/rules/email-address';
import { codePointsAtMost } from '../../../schemas/rules/text';
import { ApiError } from '../../errors';
import { parseForm } from '../../http/parse-form';
import { TRAP, type FilledForm } from './form-pages';
import type { FormField } from '../../../domain/recipient-texts/texts';

/** Maximum size of a form, bytes. */
const MAX_BODY = 64 * 1024;
const MAX_NAME = 255;
const MAX_REDIRECT = 2_000;
/** Values of a box that was ticked. */
const TICKED = /^(?:on|true|1|yes|ya)$/i;

/** A form that came in. `trapped`: a program filled it in. */
export interface SentForm extends FilledForm {
  trapped: boolean;
}

/** Reads a form; a number is the status of the refusal: 400, 413, 415. */
export async function readForm(ctx: Context): Promise<SentForm | 400 | 413 | 415> {
  if (!ctx.is('application/x-www-form-urlencoded')) return refuse(ctx, 415);
  let fields: Record<string, unknown>;
  try {
    const bytes = await getRawBody(ctx.req, { limit: MAX_BODY, length: ctx.get('Content-Length') || null });
    fields = parseForm(bytes, 'body') as Record<string, unknown>;
  } catch (error) {
    if (error instanceof ApiError) return 400;
    return refuse(ctx, (error as getRawBody.RawBodyError).type === 'entity.too.large' ? 413 : 400);
  }
  const text = (name: string): string => {
    const value = fields[name];
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === 'string' ? last.trim() : '';
  };
  return {
    email: text('email'),
    name: text('name')
      .replace(/\p{C}+/gu, ' ')
      .trim(),
    consent: TICKED.test(text('consent')),
    redirect: text('redirect'),
    trapped: text(TRAP) !== '',
  };
}

/** The rest of the body is not read. */
function refuse<S extends number>(ctx: Context, status: S): S {
  ctx.set('Connection', 'close');
  return status;
}

/** The fields that are wrong. */
export function wrongFields(form: FilledForm, audience: Pick<Audience, 'redirectHosts'>): FormField[] {
  const { email, name, consent, redirect } = form;
  const wrong: FormField[] = [];
  if (!isEmailAddress(email)) wrong.push('email');
  if (!codePointsAtMost(name, MAX_NAME)) wrong.push('name');
  if (!consent) wrong.push('consent');
  if (redirect !== '' && redirectOf(redirect, audience) === null) wrong.push('redirect');
  return wrong;
}

/** The address to lead on to: https, at an allowed host and its usual port; otherwise null. */
export function redirectOf(text: string, { redirectHosts }: Pick<Audience, 'redirectHosts'>): string | null {
  const url = text.length <= MAX_REDIRECT ? readUrl(text) : null;
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') return null;
  return redirectHosts.includes(url.hostname) ? url.href : null;
}
