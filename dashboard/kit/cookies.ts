import type { Context } from 'koa';

/** Where the cookies of the dashboard are valid: no tracking link and no public page lies below it. */
export const BASE = '/app';

const SESSION = 'kurir_session';
const NOTICE = 'kurir_notice';
const LANGUAGE = 'kurir_language';
/** A sign-in that has begun, and is no session. */
const BEGUN = 'kurir_begun';
/** That somebody has signed in from this browser before; it lets nobody in. */
const BROWSER = 'kurir_browser';
const MONTH = 30 * 24 * 3600;

export interface CookieJar {
  session: string | null;
  begun: string;
  browser: string;
  language: string | undefined;
}

/** The cookies of a request that the dashboard knows. */
export function readCookies(ctx: Context): CookieJar {
  return {
    session: ctx.cookies.get(SESSION) ?? null,
    begun: ctx.cookies.get(BEGUN) ?? '',
    browser: ctx.cookies.get(BROWSER) ?? '',
    language: ctx.cookies.get(LANGUAGE),
  };
}

function write(ctx: Context, name: string, value: string, { age, secure }: { age: number; secure: boolean }): void {
  const parts = [
    `${name}=${value}`,
    `Path=${BASE}`,
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${age}`,
    ...(secure ? ['Secure'] : []),
  ];
  ctx.append('Set-Cookie', parts.join('; '));
}

export const setSession = (ctx: Context, token: string, secure: boolean): void =>
  write(ctx, SESSION, token, { age: MONTH, secure });
export const dropSession = (ctx: Context, secure: boolean): void => write(ctx, SESSION, '', { age: 0, secure });
export const setBegun = (ctx: Context, token: string, secure: boolean): void =>
  write(ctx, BEGUN, token, { age: 300, secure });
export const dropBegun = (ctx: Context, secure: boolean): void => write(ctx, BEGUN, '', { age: 0, secure });
export const setBrowser = (ctx: Context, kept: string, secure: boolean): void =>
  write(ctx, BROWSER, kept, { age: 3 * MONTH, secure });
export const setLanguage = (ctx: Context, language: string, secure: boolean): void =>
  write(ctx, LANGUAGE, language, { age: 12 * MONTH, secure });

/** Bytes of a notice: a browser drops a cookie of more than 4 kB. */
const MAX_NOTICE = 2_800;

/** Keeps a notice for the next page. */
export const setNotice = (ctx: Context, text: string, secure: boolean): void =>
  write(ctx, NOTICE, Buffer.from(text).subarray(0, MAX_NOTICE).toString('base64url'), { age: 60, secure });

/** The notice for this page, which is shown once; null for none. */
export function takeNotice(ctx: Context, secure: boolean): string | null {
  const held = ctx.cookies.get(NOTICE);
  if (!held) return null;
  write(ctx, NOTICE, '', { age: 0, secure });
  return Buffer.from(held, 'base64url').toString() || null;
}
