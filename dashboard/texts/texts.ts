import { ENGLISH } from './english';
import { INDONESIAN } from './indonesian';

export { filled } from './filled';

export const LANGUAGES = ['id', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Every text of the dashboard, the same keys in each language. */
export type Texts = Readonly<Record<keyof typeof ENGLISH, string>>;

const TABLE: Readonly<Record<Language, Texts>> = { en: ENGLISH, id: INDONESIAN };

/** The texts in a language. */
export const textsOf = (language: Language): Texts => TABLE[language];

/** The language that was chosen, or the first of ours that the browser asks for; otherwise English. */
export function languageOf(chosen: string | undefined, accepted: string): Language {
  const wanted = [chosen ?? '', ...accepted.split(',').map((item) => item.split(';', 1)[0]?.trim().slice(0, 2) ?? '')];
  for (const name of wanted) {
    const known = LANGUAGES.find((language) => language === name.toLowerCase());
    if (known) return known;
  }
  return 'en';
}
