import { needsSmtpUtf8 } from './envelope-address';
import type { AddressedMail } from './smtp-commands';
import type { SmtpExtensions } from './smtp-extensions';
import { oneLine } from './smtp-reply';

/** Why the server, given its extensions, can never accept the mail; null when it can. */
export function unsupportedReason({ from, to, raw }: AddressedMail, offers: SmtpExtensions): string | null {
  const otherScript = offers.smtpUtf8 ? undefined : [to, from].find(needsSmtpUtf8);
  if (otherScript !== undefined)
    return oneLine(`The sending server does not take addresses in other scripts (SMTPUTF8): ${otherScript}`);
  if (offers.largest === null || raw.length <= offers.largest) return null;
  return `The message size of ${raw.length} bytes is larger than allowed ${offers.largest} by the sending server.`;
}
