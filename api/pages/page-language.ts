import type { Context } from 'koa';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../domain/settings/language';

/** The language that the browser prefers; that of the workspace when it names none of ours. */
export function pageLanguage(ctx: Context, ofWorkspace: Language = DEFAULT_LANGUAGE): Language {
  const order = [ofWorkspace, ...LANGUAGES.filter((language) => language !== ofWorkspace)];
  const accepted = ctx.acceptsLanguages(order);
  return order.find((language) => language === accepted) ?? ofWorkspace;
}
