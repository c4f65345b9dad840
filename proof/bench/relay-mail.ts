import MailComposer from 'nodemailer/lib/mail-composer';
import { SAMPLE } from './sample-mail';

const FROM = 'no-reply@sender.example';
const ID = 'number@sender.example';

/**
 * The sample mail as nodemailer writes it (html and text as quoted-printable, in two parts), with the final dot.
 * Returns what makes it another mail each time, by its Message-ID.
 */
export async function relayMails(): Promise<(from: string, id: string) => string> {
  const composer = new MailComposer({
    from: { name: 'Bench', address: FROM },
    to: 'customer@recipient.example',
    messageId: `<${ID}>`,
    ...SAMPLE,
  });
  const built = (await composer.compile().build()).toString('latin1');
  const stuffed = built.replace(/\r?\n/g, '\r\n').replace(/^\./gm, '..');
  const mail = stuffed.endsWith('\r\n') ? `${stuffed}.\r\n` : `${stuffed}\r\n.\r\n`;
  return (from, id) => mail.replace(FROM, from).replace(ID, `${id}@sender.example`);
}
