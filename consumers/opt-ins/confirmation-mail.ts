import type { PageLanguage } from '../../domain/opt-in';
import type { MessageBody } from '../../domain/message';
import { escapeHtml } from '../../email/html-escape';

/** What a confirmation mail says. */
export interface ConfirmationFacts {
  language: PageLanguage;
  audience: string;
  business: { name: string; address: string };
  link: string;
}

interface Words {
  subject: (audience: string) => string;
  ask: (audience: string, sender: string) => string;
  button: string;
  until: string;
  ignore: string;
}

const WORDS: Readonly<Record<PageLanguage, Words>> = {
  id: {
    subject: (audience) => `Konfirmasi langganan Anda: ${audience}`,
    ask: (audience, sender) =>
      `Alamat email ini didaftarkan untuk menerima ${audience} dari ${sender}. Tekan tombol di bawah ini untuk konfirmasi.`,
    button: 'Konfirmasi langganan',
    until: 'Tautan ini berlaku 14 hari.',
    ignore: 'Bukan Anda? Abaikan email ini; tanpa konfirmasi langganan tidak dimulai.',
  },
  en: {
    subject: (audience) => `Confirm your subscription: ${audience}`,
    ask: (audience, sender) =>
      `This email address was entered to get ${audience} from ${sender}. Press the button below to confirm.`,
    button: 'Confirm subscription',
    until: 'This link is valid for 14 days.',
    ignore: 'Was it not you? Ignore this email: without a confirmation nothing begins.',
  },
};

/** The content of the mail that asks a member to confirm (docs/contract.md#double-opt-in). */
export function confirmationMail({ language, audience, business, link }: ConfirmationFacts): {
  subject: string;
  body: MessageBody;
} {
  const words = WORDS[language];
  const [list, sender] = [plain(audience), plain(business.name)];
  const ask = words.ask(list, sender);
  const from = [sender, plain(business.address)].filter(Boolean);
  const text = [ask, link, `${words.until} ${words.ignore}`, from.join('\n')].join('\n\n');
  const html = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(words.subject(list))}</title></head>
<body style="margin:0;padding:24px;background:#f3f4f6;font:16px/1.6 Arial,Helvetica,sans-serif;color:#111827">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e5e7eb;border-radius:12px">
<p style="margin:0 0 24px">${escapeHtml(ask)}</p>
<p style="margin:0 0 24px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:bold;text-decoration:none">${words.button}</a></p>
<p style="margin:0 0 24px;font-size:14px;color:#4b5563">${words.until} ${words.ignore}</p>
<p style="margin:0;font-size:14px;color:#4b5563">${from.map(escapeHtml).join('<br>')}</p>
</div>
</body>
</html>
`;
  return { subject: words.subject(list), body: { html, text } };
}

/** On one line, and without merge tags: names are shown as they are. */
const plain = (name: string): string =>
  name
    .replaceAll(/\{\{+|\}\}+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
