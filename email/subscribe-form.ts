import { RECIPIENT_TEXTS } from '../domain/recipient-texts';
import type { Language } from '../domain/settings/language';
import { escapeHtml } from './html-escape';

/** A form for the site of its owner. */
export interface SubscribeForm {
  language: Language;
  /** Where it is sent: the address of the public form. */
  url: string;
  sender: string;
  /** A host of the owner that it may lead on to; null: the page of the service follows. */
  redirectHost: string | null;
}

/** The code of a public form to put on another site (docs/forms.md#on-your-own-site). */
export function subscribeForm({ language, url, sender, redirectHost }: SubscribeForm): string {
  const { labels, consent } = RECIPIENT_TEXTS[language].forms;
  const lines = [
    `<form method="post" action="${escapeHtml(url)}" accept-charset="utf-8">`,
    `  <label>${escapeHtml(labels.email)} <input type="email" name="email" required autocomplete="email" /></label>`,
    `  <label>${escapeHtml(labels.name)} <input name="name" autocomplete="name" /></label>`,
    `  <label><input type="checkbox" name="consent" required /> ${escapeHtml(consent(sender))}</label>`,
    ...(redirectHost === null
      ? []
      : [`  <input type="hidden" name="redirect" value="https://${escapeHtml(redirectHost)}/" />`]),
    '  <div hidden><input name="website" tabindex="-1" autocomplete="off" /></div>',
    `  <button>${escapeHtml(labels.button)}</button>`,
    '</form>',
  ];
  return `${lines.join('\n')}\n`;
}
