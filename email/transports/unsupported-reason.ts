import { mailSizeRefusal } from '../../domain/messages/mail-size';
import { texts } from '../../domain/texts';
import { needsSmtpUtf8 } from './envelope-address';
import type { AddressedMail } from './smtp-commands';
import type { SmtpExtensions } from './smtp-extensions';

/**
 * Why the server, given its extensions, can never accept the mail; null when it can. The text becomes the message's
 * `failed_reason` (docs/contract.md#failed-reasons).
 */
export function unsupportedReason({ from, to, raw }: AddressedMail, offers: SmtpExtensions): string | null {
  if (!offers.smtpUtf8 && (needsSmtpUtf8(to) || needsSmtpUtf8(from))) return texts.addressNotSupported;
  return offers.largest === null ? null : mailSizeRefusal(raw.length, offers.largest);
}
