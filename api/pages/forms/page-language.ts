import type { Context } from 'koa';
import type { PageLanguage } from '../../../domain/opt-in';

/** The language that the browser prefers; Indonesian when it names neither. */
export const pageLanguage = (ctx: Context): PageLanguage => (ctx.acceptsLanguages('id', 'en') === 'en' ? 'en' : 'id');
