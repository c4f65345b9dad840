import type { MessageBody } from '../domain/messages/message';
import type { ButtonTexts } from '../domain/recipient-texts/texts';
import type { Language } from '../domain/settings/language';
import { escapeHtml } from './html-escape';

/** A mail of ours with one button. */
export interface Notice {
  language: Language;
  subject: string;
  /** What is asked, given how the link is followed. */
  ask: (press: string) => string;
  words: ButtonTexts;
  link: string;
  business: { name: string; address: string };
}

/** The content of a mail that asks for one thing: a sentence, a button, and who sent it. */
export function noticeMail({ language, subject, ask, words, link, business }: Notice): MessageBody {
  const from = [plain(business.name), plain(business.address)].filter(Boolean);
  const text = [ask(words.press.text), link, `${words.until} ${words.ignore}`, from.join('\n')].join('\n\n');
  const html = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f3f4f6;font:16px/1.6 Arial,Helvetica,sans-serif;color:#111827">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e5e7eb;border-radius:12px">
<p style="margin:0 0 24px">${escapeHtml(ask(words.press.html))}</p>
<p style="margin:0 0 24px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:bold;text-decoration:none">${words.button}</a></p>
<p style="margin:0 0 24px;font-size:14px;color:#4b5563">${words.until} ${words.ignore}</p>
<p style="margin:0;font-size:14px;color:#4b5563">${from.map(escapeHtml).join('<br>')}</p>
</div>
</body>
</html>
`;
  return { html, text };
}

/** On one line, and without merge tags: names are shown as they are. */
export const plain = (name: string): string =>
  name
    .replaceAll(/\{\{+|\}\}+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
