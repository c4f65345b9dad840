/** What a mail of the world says: the history tells subject and text as they were accepted. */
export interface MailContent {
  subject: string;
  /** With a merge tag for the address of the recipient, which the judge fills itself. */
  text: string;
}

/** The content of a mail, to be told apart from all others by its name. */
export const contentOf = (name: string): MailContent => ({ subject: name, text: `${name} untuk {{email}}` });

/** Its html, with two links. */
export const htmlOf = ({ text }: MailContent): string =>
  `<p>Halo {{nama|Kak}}, ${text}. <a href="https://toko.example/a">a</a> <a href="https://toko.example/b">b</a></p>`;
