import { BEHAVIOURS } from './behaviour';
import { countBlockedImages } from './blocked-images';
import { LIST, MAIL, REFUSED } from './inbox-templates';
import type { MailContent } from './mail-content';
import type { MailSummary, ReportSummary, StoredMail } from './mail';
import type { RefusedMail } from './refused-mails';
import { toneOf, type ShownMessage } from './shown-message';
import { INBOX_PATH, pageMaker, sinceText, sizeText, timeText } from './page';

export const VIEWS = ['html', 'text', 'headers', 'source'] as const;
export type View = (typeof VIEWS)[number];

const makeList = pageMaker(INBOX_PATH, LIST);
const makeRefused = pageMaker(INBOX_PATH, REFUSED);
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
  answer: 'good',
};

const STATE_LABELS: Record<ReportSummary['state'], string> = { sent: 'sent', owed: 'pending', refused: 'refused' };

/** What every list shows above it. */
export interface ListFacts {
  /** How many were received and refused in all. */
  received: number;
  refused: number;
  /** The id from which the next page continues, or null. */
  older: number | null;
  /** The path of this very page. */
  here: string;
  /** One sentence about what was done, or null. */
  notice: string | null;
}

/** The list page. `total` is the number of mails that fit the search; `origin` is the base of the example call. */
export function listPage(
  mails: readonly (MailSummary & { shown: ShownMessage | null })[],
  facts: ListFacts & { total: number; search: string; origin: string },
): string {
  return makeList(facts.search === '' ? 'Sandbox inbox' : `${facts.search} – Sandbox inbox`, {
    ...facts,
    refusedShown: false,
    mails: mails.map((mail) => ({
      ...described(mail),
      status: statusOf(mail.shown),
      badges: mail.reports.map(badge),
    })),
    behaviours: Object.entries(BEHAVIOURS),
    curl: exampleCall(facts.origin),
  });
}

/** The page of what was refused. */
export function refusedPage(
  refusals: readonly (RefusedMail & { shown: ShownMessage | null })[],
  facts: ListFacts,
): string {
  return makeRefused('Refused – Sandbox inbox', {
    ...facts,
    refusedShown: true,
    refusals: refusals.map((mail) => ({ ...mail, ...momentOf(mail.lastAt), status: statusOf(mail.shown) })),
  });
}

const momentOf = (at: number): { iso: string; time: string } => ({
  iso: new Date(at).toISOString(),
  time: timeText(at),
});

const statusOf = (shown: ShownMessage | null): object | null =>
  shown && {
    name: shown.message.status,
    tone: toneOf(shown.message.status),
    reason: shown.message.failedReason,
  };

/** `since`: how long after `start` it was. */
const stepOf = (at: number, start: number): object => ({ ...momentOf(at), since: sinceText(at - start) });

const describedMessage = (shown: ShownMessage | null, receivedAt: number): object | null =>
  shown && {
    status: shown.message.status,
    tone: toneOf(shown.message.status),
    reason: shown.message.failedReason,
    history: shown.history.map(({ status, at }) => ({ status, ...stepOf(at, receivedAt) })),
  };

/** The page of one mail in one view, on `host`. */
export function mailPage(
  { mail, content, shown }: { mail: StoredMail; content: MailContent; shown: ShownMessage | null },
  requested: View | null,
  host: string,
): string {
  const views = VIEWS.filter((view) => (view === 'html' || view === 'text' ? content[view] !== null : true));
  const view = views.find((possible) => possible === requested) ?? views[0] ?? 'source';
  return makeMail(mail.subject || 'A message without a subject', {
    mail: described(mail),
    shownMessage: describedMessage(shown, mail.receivedAt),
    blockedImages: view === 'html' ? countBlockedImages(content.html ?? '', host) : 0,
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
    ...momentOf(mail.receivedAt),
    reports: mail.reports.map((report) => ({
      ...report,
      tone: STATE_TONES[report.state],
      label: STATE_LABELS[report.state],
      ...(report.at !== null && stepOf(report.at, mail.receivedAt)),
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
