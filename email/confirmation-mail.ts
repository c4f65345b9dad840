import type { Language } from '../domain/settings/language';
import type { MessageBody } from '../domain/messages/message';
import { RECIPIENT_TEXTS } from '../domain/recipient-texts';
import { noticeMail, plain } from './notice-mail';

/** What a confirmation mail says. */
export interface ConfirmationFacts {
  language: Language;
  audience: string;
  business: { name: string; address: string };
  link: string;
}

/** The content of the mail that asks a member to confirm (docs/contract.md#double-opt-in). */
export function confirmationMail({ language, audience, business, link }: ConfirmationFacts): {
  subject: string;
  body: MessageBody;
} {
  const words = RECIPIENT_TEXTS[language].confirmation;
  const [list, sender] = [plain(audience), plain(business.name)];
  const subject = words.subject(list);
  const ask = (press: string): string => words.ask(list, sender, press);
  return { subject, body: noticeMail({ language, subject, ask, words, link, business }) };
}
