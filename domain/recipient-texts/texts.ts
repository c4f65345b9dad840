/** The names of the fields of a public form. */
export type FormField = 'email' | 'name' | 'consent' | 'redirect';

/** What the pages of public forms and confirmations say in one language. */
export interface FormTexts {
  subscribeTo: (audience: string) => string;
  intro: (sender: string) => readonly [string, string];
  labels: { email: string; name: string; optional: string; trap: string; button: string };
  consent: (sender: string) => string;
  errors: { title: string } & Record<FormField, string>;
  thanks: { heading: string; single: string; double: string; spam: string };
  confirm: { heading: string; ask: readonly [string, string, string]; button: string };
  confirmed: { heading: string; text: readonly [string, string, string] };
  before: { heading: string };
  expired: { heading: string; text: string };
  notFound: { heading: string; text: string };
  notConfirmable: { heading: string; text: string };
  tooMany: { heading: string; text: string };
  tooManyToday: { heading: string; text: string };
  unreadable: { heading: string; text: string };
  methodNotAllowed: { heading: string; text: string };
}

/** A page of a heading and paragraphs; `{sender}` and `{address}` stand for the business and the masked recipient. */
export interface PageText {
  heading: string;
  paragraphs: readonly string[];
}

/** What the pages that mails lead to say in one language. */
export interface PageTexts {
  /** Stands for a sender without a name, and for a recipient whose address is gone. */
  sender: string;
  you: string;
  unsubscribeButton: string;
  notFound: PageText;
  hiddenLink: PageText;
  products: PageText;
  methodNotAllowed: PageText;
  tooLarge: PageText;
  unreadable: PageText;
  tryAgain: PageText;
  askToUnsubscribe: PageText;
  alreadyUnsubscribed: PageText;
  contactGone: PageText;
  unsubscribed: PageText;
  unsubscribedUnnamed: PageText;
}

/** What a mail with one button says of it. */
export interface ButtonTexts {
  /** What to do: the HTML has a button, the text a link. */
  press: { html: string; text: string };
  button: string;
  until: string;
  ignore: string;
}

/** What the mail that asks for a confirmation says in one language. */
export interface ConfirmationTexts extends ButtonTexts {
  subject: (audience: string) => string;
  ask: (audience: string, sender: string, press: string) => string;
}

/** What the mail that invites somebody to the dashboard says. */
export interface InvitationTexts extends ButtonTexts {
  subject: (place: string) => string;
  ask: (place: string, press: string) => string;
}

/** Everything that recipients read which no caller wrote, in one language. */
export interface RecipientTexts {
  forms: FormTexts;
  pages: PageTexts;
  confirmation: ConfirmationTexts;
  invitation: InvitationTexts;
  reset: InvitationTexts;
  footer: { unsubscribe: string };
}
