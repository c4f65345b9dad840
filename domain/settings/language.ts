/** The languages of everything that recipients read: mails, public pages. */
export const LANGUAGES = ['id', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Of a workspace whose operator chose none. */
export const DEFAULT_LANGUAGE: Language = 'id';
