import { readMail } from './read-mail';
import type { MailFault, SubmittedMail } from './submitted-mail';

/** Reads submitted mails. */
export interface MailReader {
  /**
   * What `readMail` answers. `content` may not be used any more. Rejects when the reading itself failed; the mail may
   * be good, and the client sends it again.
   */
  read(content: Buffer): Promise<SubmittedMail | MailFault>;
  close(): Promise<void>;
}

/** Reads every mail on the thread of the caller. */
export const inlineMailReader: MailReader = {
  read: readMail,
  close: async () => {},
};
