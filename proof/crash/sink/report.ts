import type { ReportKind } from './behaviour';
import type { Envelope } from './dialogue';

interface StatusFields {
  action: string;
  status: string;
  diagnostic: string;
}
const STATUS_FIELDS: Record<Exclude<ReportKind, 'complaint'>, StatusFields> = {
  delivered: { action: 'delivered', status: '2.0.0', diagnostic: '250 2.0.0 Ok' },
  failed: { action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 No such user here' },
  full: { action: 'failed', status: '5.2.2', diagnostic: '552 5.2.2 Over quota' },
  blocked: { action: 'failed', status: '5.7.1', diagnostic: '550 5.7.1 Client host blocked using zen.spamhaus.org' },
  spam: { action: 'failed', status: '5.7.1', diagnostic: '550 5.7.1 Message rejected as spam' },
  disabled: { action: 'failed', status: '5.2.1', diagnostic: '550 5.2.1 The mailbox is disabled' },
  expired: { action: 'failed', status: '4.4.1', diagnostic: '421 4.4.1 No answer for days' },
  delayed: { action: 'delayed', status: '4.4.1', diagnostic: '421 4.4.1 Busy' },
};

/** Composes the mail that reports on another: RFC 3464, or RFC 5965 for a complaint; CRLF line ends. */
export function composeReport(kind: ReportKind, { from, to, envid }: Envelope): string {
  const boundary = `=_${envid}`;
  const type = kind === 'complaint' ? 'feedback-report' : 'delivery-status';
  return [
    'From: postmaster@sink.test',
    `To: ${from}`,
    `Subject: ${kind}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain',
    '',
    `A report: ${kind}.`,
    `--${boundary}`,
    `Content-Type: message/${type}`,
    '',
    ...(kind === 'complaint' ? complaint(envid, from, to) : status(STATUS_FIELDS[kind], envid, to)),
    '',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    `To: ${to}`,
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

function status({ action, status, diagnostic }: StatusFields, envid: string, to: string): string[] {
  return [
    'Reporting-MTA: dns; sink.test',
    `Original-Envelope-Id: ${envid}`,
    '',
    `Final-Recipient: rfc822; ${to}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${diagnostic}`,
  ];
}

function complaint(envid: string, from: string, to: string): string[] {
  return [
    'Feedback-Type: abuse',
    'User-Agent: Sink/1',
    'Version: 1',
    `Original-Envelope-Id: ${envid}`,
    `Original-Mail-From: <${from}>`,
    `Original-Rcpt-To: <${to}>`,
  ];
}
