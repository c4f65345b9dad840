import type { Context } from 'koa';
import type { Language, Texts } from '../texts/texts';

/** What is known of a request from the start. */
export interface Request {
  ctx: Context;
  language: Language;
  t: Texts;
}
