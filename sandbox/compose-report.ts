import type { DueReport } from './pending-reports';
import { field, lines, mailDate, type Part, reportMail } from './report-mail';

const CRLF = '\r\n';
const ASCII = /^[\x20-\x7e]*$/;

const SUBJECTS = {
  delivered: 'Successful Mail Delivery Report',
  failed: 'Undelivered Mail Returned to Sender',
  delayed: 'Delayed Mail (still being retried)',
  complaint: 'Complaint about a message you sent',
  answer: 'Automatic reply: away until Monday',
} as const;

const PROSE = {
  delivered: 'Your message was delivered.',
  failed: 'Your message could not be delivered. It will not be tried again.',
  delayed: 'Your message could not be delivered yet. It will be tried again.',
  complaint: 'This is an email abuse report. The recipient marked your message as spam.',
  answer: 'I am out of the office until Monday. Your message was not forwarded.',
} as const;

/** The mail that carries a report: a DSN (RFC 3464) or a complaint (RFC 5965); one character per byte, CRLF. */
export function composeReport(report: DueReport, hostname: string, now: number): string {
  if (report.kind === 'answer') return composeAnswer(report, now);
  const complaint = report.kind === 'complaint';
  const subject = SUBJECTS[report.kind];
  const prose = { type: 'text/plain; charset=us-ascii', body: `${PROSE[report.kind]}${CRLF}` };
  return complaint
    ? reportMail(report, { from: 'feedback', subject, reportType: 'feedback-report', hostname, now }, [
        prose,
        { type: 'message/feedback-report', body: complaintFields(report, hostname) },
        returned(report),
      ])
    : reportMail(report, { from: 'MAILER-DAEMON', subject, reportType: 'delivery-status', hostname, now }, [
        prose,
        statusPart(report, hostname, now),
        returned(report),
      ]);
}

/** What a recipient's mail program answers by itself (RFC 3834), to the envelope sender as servers do. */
function composeAnswer({ id, tries, recipient, mail }: DueReport, now: number): string {
  return [
    `Date: ${mailDate(now)}`,
    field('From', recipient.address),
    field('To', mail.mailFrom),
    `Subject: ${SUBJECTS.answer}`,
    `Message-ID: <answer-${id}.${tries}@recipient.invalid>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    PROSE.answer,
    '',
  ].join(CRLF);
}

function statusPart(report: DueReport, hostname: string, now: number): Part {
  const { mail, recipient, kind } = report;
  const final = recipient.address;
  const international = !ASCII.test(final) || !ASCII.test(recipient.orcpt ?? '');
  const body = [
    `Reporting-MTA: dns; ${hostname}`,
    ...(mail.envid ? [field('Original-Envelope-Id', mail.envid)] : []),
    `Arrival-Date: ${mailDate(mail.receivedAt)}`,
    '',
    ...(recipient.orcpt ? [field('Original-Recipient', recipient.orcpt.replace(';', '; '))] : []),
    field('Final-Recipient', `${ASCII.test(final) ? 'rfc822' : 'utf-8'}; ${final}`),
    `Action: ${kind}`,
    `Status: ${report.status}`,
    `Diagnostic-Code: smtp; ${report.diagnostic}`,
    `Last-Attempt-Date: ${mailDate(now)}`,
    '',
  ].join(CRLF);
  // RFC 6533: addresses beyond ASCII have their own type.
  return { type: international ? 'message/global-delivery-status' : 'message/delivery-status', body };
}

function complaintFields({ mail, recipient }: DueReport, hostname: string): string {
  return [
    'Feedback-Type: abuse',
    'User-Agent: KurirSandbox/1',
    'Version: 1',
    ...(mail.envid ? [field('Original-Envelope-Id', mail.envid)] : []),
    field('Original-Mail-From', `<${mail.mailFrom}>`),
    field('Original-Rcpt-To', `<${recipient.address}>`),
    `Arrival-Date: ${mailDate(mail.receivedAt)}`,
    `Reporting-MTA: dns; ${hostname}`,
    '',
  ].join(CRLF);
}

function returned({ mail }: DueReport): Part {
  if (mail.source) return { type: 'message/rfc822', body: lines(mail.source) };
  return { type: 'text/rfc822-headers', body: lines(mail.headers) };
}
