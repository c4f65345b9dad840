import type { Accepted } from '../../../operations/messages/accept/accept-messages';
import { Refusal } from '../../../operations/messages/accept/refusal';
import type { SubmittedMail } from '../mail/submitted-mail';
import type { Reply } from '../protocol/policy';
import { reply, shownAddress } from './replies';

/**
 * The final reply of a mail: 250 2.0.0 with the id of each message, the recipients that were refused since RCPT, and
 * what was left out or guessed; 550 5.7.1 when all were refused (docs/contract.md#relay-replies). `results` are in the
 * order of `recipients`.
 */
export function finalReply(
  recipients: readonly string[],
  results: readonly (Accepted | Refusal)[],
  { attachmentsLeftOut, unknownCharset }: Pick<SubmittedMail, 'attachmentsLeftOut' | 'unknownCharset'>,
): Reply {
  const alone = recipients.length === 1;
  const taken: string[] = [];
  const refused: string[] = [];
  results.forEach((result, n) => {
    const to = shownAddress(recipients[n]!);
    if (result instanceof Refusal) refused.push(alone ? result.message : `Refused: ${to}: ${result.message}`);
    else taken.push(alone ? `Queued as ${result.id}` : `Queued as ${result.id} for ${to}`);
  });
  if (taken.length === 0) return reply(550, '5.7.1', ...refused);
  return reply(250, '2.0.0', ...taken, ...refused, ...leftOut(attachmentsLeftOut), ...guessed(unknownCharset));
}

const leftOut = (count: number): string[] => {
  if (count === 0) return [];
  return [count === 1 ? '1 attachment was not forwarded.' : `${count} attachments were not forwarded.`];
};

const guessed = (charset: string | null): string[] =>
  charset === null ? [] : [`The charset ${charset.slice(0, 40)} is unknown; characters may be wrong. Send UTF-8.`];
