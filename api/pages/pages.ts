import type { Context } from 'koa';
import { LANGUAGES, type Language } from '../../domain/settings/language';
import { RECIPIENT_TEXTS } from '../../domain/recipient-texts';
import type { PageText } from '../../domain/recipient-texts/texts';
import type { Page, Piece } from './page';
import { pageLanguage } from './page-language';

/** What the unsubscribe pages show about a mail and its recipient. */
export interface Recipient {
  /** The name may be empty. */
  sender: { name: string; address: string };
  /** Masked; null once the contact was deleted. */
  address: string | null;
  /** False when no mail is sent any more. */
  subscribed: boolean;
  /** That of the workspace. */
  language: Language;
}

/** The text cut at its names; what stands for one is shown emphasised. */
const pieces = (text: string, names: Readonly<Record<string, Piece>>): Piece[] =>
  text
    .split(/\{(\w+)\}/)
    .map((piece, n) => (n % 2 === 1 ? names[piece]! : piece))
    .filter((piece) => piece !== '');

/** The pages a recipient may see, in one language. */
function pagesIn(language: Language) {
  const texts = RECIPIENT_TEXTS[language].pages;
  const page = (
    status: number,
    { heading, paragraphs }: PageText,
    names: Readonly<Record<string, Piece>> = {},
  ): Page => ({
    status,
    heading,
    paragraphs: paragraphs.map((paragraph) => pieces(paragraph, names)),
    language,
  });
  const about = (text: PageText, { sender, address }: Recipient): Page => {
    const name = sender.name || texts.sender;
    const to = address === null ? texts.you : { strong: address };
    return { ...page(200, text, { sender: { strong: name }, address: to }), sender: { ...sender, name } };
  };
  return {
    notFound: page(404, texts.notFound),
    /** Where the link leads that no person sees (docs/machine-signals.md#hidden-link). */
    hiddenLink: page(200, texts.hiddenLink),
    /** Where the API sends those whose workspace lacks the Email Marketing module (docs/contract.md#email-module). */
    products: page(200, texts.products, { command: { strong: 'npx kurir workspace module <akun> on' } }),
    methodNotAllowed: page(405, texts.methodNotAllowed),
    tooLarge: page(413, texts.tooLarge),
    unreadable: page(400, texts.unreadable),
    tryAgain: page(503, texts.tryAgain),
    /** Asks first: GET never unsubscribes (docs/architecture.md#signals). */
    askToUnsubscribe: (recipient: Recipient): Page => ({
      ...about(texts.askToUnsubscribe, recipient),
      button: texts.unsubscribeButton,
    }),
    alreadyUnsubscribed: (recipient: Recipient): Page => about(texts.alreadyUnsubscribed, recipient),
    /** The contact was deleted, and with it the link from this mail to an address. */
    contactGone: (recipient: Recipient): Page => about(texts.contactGone, recipient),
    unsubscribed: (recipient: Recipient): Page => about(texts.unsubscribed, recipient),
    /** The request is durably recorded, but its recipient cannot be read at the moment. */
    unsubscribedUnnamed: page(200, texts.unsubscribedUnnamed),
  };
}

const PAGES = Object.fromEntries(LANGUAGES.map((language) => [language, pagesIn(language)])) as Readonly<
  Record<Language, ReturnType<typeof pagesIn>>
>;

/** The pages in the language that the browser prefers, else in that of the workspace. */
export const pagesFor = (ctx: Context, ofWorkspace?: Language) => PAGES[pageLanguage(ctx, ofWorkspace)];
