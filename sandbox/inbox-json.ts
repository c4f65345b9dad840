import type { MailContent } from './mail-content';
import type { MailSummary, ReportSummary } from './mail';

/** A time in ms as the API writes it in objects (docs/contract.md#time). */
export const apiTime = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');

/** A mail of the list, as JSON. */
export function presentMail(mail: MailSummary): object {
  return {
    id: mail.id,
    message_id: mail.messageId,
    envid: mail.envid,
    from: mail.from,
    to: mail.recipients.map(({ address }) => address).join(', '),
    subject: mail.subject,
    received_at: apiTime(mail.receivedAt),
    size: mail.size,
    copies: mail.copies,
    envelope: { from: mail.mailFrom, to: mail.recipients },
    reports: mail.reports.map(presentReport),
  };
}

/** One mail with its content, as JSON. */
export function presentMailWithContent(mail: MailSummary, content: MailContent): object {
  const { headers, text, html, attachments } = content;
  return { ...presentMail(mail), headers, text, html, attachments };
}

function presentReport({ kind, recipient, state, tries, at, reply }: ReportSummary): object {
  return { kind, recipient, state, tries, at: at === null ? null : apiTime(at), reply };
}
