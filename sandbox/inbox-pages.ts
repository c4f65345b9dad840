import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import { BEHAVIOURS } from './behaviour';
import { style } from './inbox-style';
import { FAULT, LAYOUT, LIST, MAIL } from './inbox-templates';
import type { MailContent } from './mail-content';
import type { MailSummary, ReportSummary, StoredMail } from './mail';

/** Where the inbox is served. */
export const INBOX_PATH = '/sandbox/inbox';

export const VIEWS = ['html', 'text', 'headers', 'source'] as const;
export type View = (typeof VIEWS)[number];

const eta = new Eta({ autoEscape: true, autoTrim: ['nl', false] });
const templates = {
  layout: eta.compile(LAYOUT),
  list: eta.compile(LIST),
  mail: eta.compile(MAIL),
  fault: eta.compile(FAULT),
};
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

/** One inline style sheet, one frame of our own, and nothing else: no script, no image, no embedding of the page. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The list page. `older` is the id from which the next page continues, or null; `origin` is the base of the example
 * call.
 */
export function listPage(
  mails: readonly MailSummary[],
  facts: { total: number; older: number | null; origin: string },
): string {
  return page('Sandbox inbox', templates.list, {
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
  return page(mail.subject || 'A mail without a subject', templates.mail, {
    mail: described(mail),
    view,
    tabs: views.map((possible) => ({ view: possible, label: LABELS[possible] })),
    fault: content.fault,
    headers: content.headers,
    attachments: content.attachments.map((file) => ({ ...file, size: sizeText(file.size) })),
    shown: view === 'text' ? content.text : view === 'source' ? shownSource(mail.source) : '',
  });
}

/** The error page of a request. */
export const faultPage = (message: string): string => page(message, templates.fault, { message });

function page(title: string, template: ReturnType<typeof eta.compile>, data: object): string {
  const main = eta.render(template, { ...data, path: INBOX_PATH });
  return eta.render(templates.layout, { title: `${title} – Kurir`, style, path: INBOX_PATH, main });
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

const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

const exampleCall = (origin: string): string =>
  [
    `curl ${origin}/v1/messages \\`,
    `  -H 'Authorization: Bearer <your API key>' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"sending_domain_id": 1, "to": "delivered@example.com",`,
    `       "subject": "Hello", "html": "<p>It works.</p>"}'`,
  ].join('\n');
