import { BEHAVIOURS } from './behaviour';
import { LIST, MAIL } from './inbox-templates';
import type { MailContent } from './mail-content';
import type { MailSummary, ReportSummary, StoredMail } from './mail';
import { INBOX_PATH, pageMaker, sizeText, timeText } from './page';

export const VIEWS = ['html', 'text', 'headers', 'source'] as const;
export type View = (typeof VIEWS)[number];

const makeList = pageMaker(INBOX_PATH, LIST);
const makeMail = pageMaker(INBOX_PATH, MAIL);
/** A page shows this much of a source, bytes; a link leads to all of it. */
const MAX_SHOWN = 512 * 1024;
const LABELS: Record<View, string> = { html: 'HTML', text: 'Text', headers: 'Headers', source: 'Source' };
const STATE_TONES: Record<ReportSummary['state'], string> = { sent: 'good', owed: 'wait', refused: 'bad' };
const KIND_TONES: Record<ReportSummary['kind'], string> = {
  delivered: 'good',
  delayed: 'wait',
  failed: 'bad',
  complaint: 'bad',
};

/**
 * The list page. `older` is the id from which the next page continues, or null; `origin` is the base of the example
 * call.
 */
export function listPage(
  mails: readonly MailSummary[],
  facts: { total: number; older: number | null; origin: string },
): string {
  return makeList('Sandbox inbox', {
    ...facts,
    mails: mails.map((mail) => ({ ...described(mail), badges: mail.reports.map(badge) })),
    behaviours: Object.entries(BEHAVIOURS),
    curl: exampleCall(facts.origin),
  });
}

/** The page of one mail in one view. */
export function mailPage(mail: StoredMail, content: MailContent, requested: View | null): string {
  const views = VIEWS.filter((view) => (view === 'html' || view === 'text' ? content[view] !== null : true));
  const view = views.find((possible) => possible === requested) ?? views[0] ?? 'source';
  return makeMail(mail.subject || 'A mail without a subject', {
    mail: described(mail),
    view,
    tabs: views.map((possible) => ({ view: possible, label: LABELS[possible] })),
    fault: content.fault,
    headers: content.headers,
    attachments: content.attachments.map((file) => ({ ...file, size: sizeText(file.size) })),
    shown: view === 'text' ? content.text : view === 'source' ? shownSource(mail.source) : '',
  });
}

function described(mail: MailSummary): object {
  return {
    ...mail,
    to: mail.recipients.map(({ address }) => address).join(', '),
    size: sizeText(mail.size),
    iso: new Date(mail.receivedAt).toISOString(),
    time: timeText(mail.receivedAt),
    reports: mail.reports.map((report) => ({
      ...report,
      tone: STATE_TONES[report.state],
      time: report.at === null ? 'after the one above' : timeText(report.at),
    })),
  };
}

function badge({ kind, state }: ReportSummary): { tone: string; text: string } {
  if (state === 'sent') return { tone: KIND_TONES[kind], text: kind };
  return state === 'owed' ? { tone: '', text: `${kind}: pending` } : { tone: 'bad', text: `${kind}: refused` };
}

function shownSource(source: Buffer): string {
  const text = source.toString('utf8', 0, MAX_SHOWN);
  return source.length > MAX_SHOWN ? `${text}\n\n(${sizeText(source.length)} in all; "Raw" has the rest)` : text;
}

const exampleCall = (origin: string): string =>
  [
    `curl ${origin}/v1/messages \\`,
    `  -H 'Authorization: Bearer <your API key>' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"sending_domain_id": 1, "to": "delivered@example.com",`,
    `       "subject": "Hello", "html": "<p>It works.</p>"}'`,
  ].join('\n');
