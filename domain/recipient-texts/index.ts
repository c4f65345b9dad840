import type { Language } from '../settings/language';
import { english } from './english';
import { indonesian } from './indonesian';
import type { RecipientTexts } from './texts';

/** Everything that recipients read which no caller wrote, by language: the only table of such texts. */
export const RECIPIENT_TEXTS: Readonly<Record<Language, RecipientTexts>> = { id: indonesian, en: english };
