import type { MailFault } from './submitted-mail';

/** Ends the reading of a mail; `readMail` answers its fault. */
export class UnreadableMail extends Error {
  override readonly name = 'UnreadableMail';

  constructor(readonly fault: MailFault) {
    super(fault.text);
  }
}

/** 550 5.7.1: the header From is not what it must be (docs/contract.md#relay-replies). */
export const wrongSender = (text: string): UnreadableMail => new UnreadableMail({ code: 550, enhanced: '5.7.1', text });

/** 552 5.3.4: a part of the mail is larger than a message may be. */
export const tooLarge = (text: string): UnreadableMail => new UnreadableMail({ code: 552, enhanced: '5.3.4', text });

/** 554 5.6.0: the mail cannot be made into a message. */
export const unusable = (text: string): UnreadableMail => new UnreadableMail({ code: 554, enhanced: '5.6.0', text });
