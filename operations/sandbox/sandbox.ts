import { resetSandbox, sandboxContents, sandboxFileOf, type Emptied } from './reset-sandbox';
import { openMail, presentHooks, presentInbox, presentRequests, readSandbox } from './sandbox-inbox';
import type { SandboxReader } from './sandbox-inbox';
import { printable } from '../../lib/printable';
import {
  anyId,
  argument,
  flag,
  jsonTime,
  limit,
  operation,
  OperationError,
  option,
  optional,
  type Session,
  text,
  upTo,
  UsageError,
  why,
} from '../definition';
import { counted } from '../../lib/counted';

const noSandbox = ({ config }: Session): OperationError =>
  new OperationError(
    why('no_sandbox', { folder: config.dataDir }),
    'Start the service without KURIR_MTA_URL to try one.',
  );

/** Closes the file of the sandbox when the work is done. */
async function withSandbox<T>(session: Session, work: (sandbox: SandboxReader) => Promise<T>): Promise<T> {
  const sandbox = readSandbox(session.config);
  if (!sandbox) throw noSandbox(session);
  try {
    return await work(sandbox);
  } finally {
    sandbox.close();
  }
}

/** The first `limit` of a page that was read one further, and the id of its last when there are more. */
function cutPage<T extends { id: number }>(found: readonly T[], limit: number): { page: T[]; older: number | null } {
  const page = found.slice(0, limit);
  return { page, older: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}

const addresses = (mail: { recipients: readonly { address: string }[] }): string =>
  mail.recipients.map(({ address }) => address).join(', ');
const reportsText = (mail: { reports: readonly { kind: string; state: string }[] }): string | null =>
  mail.reports.map(({ kind, state }) => `${kind} ${state}`).join(', ') || null;

/** A mail's text keeps its lines; other control characters are shown escaped. */
const bodyText = (body: string): string => body.split(/\r?\n/).map(printable).join('\n');

function inboxPage(sandbox: SandboxReader, most: number, before: number | undefined) {
  const { page, older } = cutPage(sandbox.list(most + 1, before), most);
  return { page, json: presentInbox(page, sandbox.total(), older) };
}

async function oneMail(sandbox: SandboxReader, id: number) {
  const mail = sandbox.get(id);
  if (mail) return { mail, ...(await openMail(mail)) };
  throw new OperationError(why('no_sandbox_mail', { label: '<mail>', id }), 'kurir sandbox inbox shows them.');
}

const inbox = operation('sandbox.inbox', 'operator', {
  summary: 'list the messages that the sandbox received, newest first, or show one of them',
  arguments: { mail: optional(argument('id of a message', anyId)) },
  options: {
    limit: limit('messages', 20, 500),
    before: option('<id>', 'only messages before this one, for the next page', anyId),
  },
  examples: [
    ['sandbox inbox', 'the last 20'],
    ['sandbox inbox 3', 'one message: envelope, reports, text'],
    ['sandbox inbox 3 --json', 'with headers and HTML, as on the inbox page'],
  ],
  handler: ({ mail, limit, before }, session) =>
    withSandbox(session, async (sandbox) =>
      mail === undefined ? inboxPage(sandbox, limit, before) : oneMail(sandbox, mail),
    ),
  json: ({ json }) => json,
  text: (found, view) => {
    if ('page' in found) {
      return view.table(
        found.page,
        {
          id: 'id',
          received: 'receivedAt',
          to: { of: addresses, max: 40 },
          subject: upTo(40, 'subject'),
          copies: 'copies',
          reports: reportsText,
        },
        'No messages in the sandbox yet.',
      );
    }
    const { mail, content } = found;
    const head = view.details(mail, {
      id: 'id',
      received: 'receivedAt',
      message: 'messageId',
      from: 'from',
      to: addresses,
      subject: 'subject',
      'return path': 'mailFrom',
      size: ({ size }) => `${size} bytes`,
      copies: 'copies',
      reports: reportsText,
      attachments: () =>
        content.attachments.map(({ filename, size }) => `${filename} (${size} bytes)`).join(', ') || null,
    });
    return `${head}\n${bodyText(content.fault ?? content.text ?? '(no text part)')}\n`;
  },
});

function requestsOf({ hooks }: SandboxReader, name: string, most: number, before: number) {
  const { page, older } = cutPage(hooks.list(name, most + 1, before), most);
  return { requests: page, json: presentRequests(page, { total: hooks.count(name), older }) };
}

function allHooks({ hooks }: SandboxReader) {
  const found = hooks.hooks();
  return { hooks: found, json: presentHooks(found) };
}

/** What the sandbox's hooks received. */
const hooks = operation('sandbox.hooks', 'operator', {
  summary: 'list webhook requests that the sandbox received: all hooks, or the requests of one, newest first',
  arguments: { hook: optional(argument('name of the hook: the last part of its URL', text())) },
  options: {
    limit: limit('requests', 20, 500),
    before: option('<id>', 'only requests before this one, for the next page', anyId, Number.MAX_SAFE_INTEGER),
  },
  examples: [
    ['sandbox hooks', 'every hook, with the number of its requests'],
    ['sandbox hooks shop', 'the last 20 requests of /sandbox/hooks/shop'],
    ['sandbox hooks shop --json', 'with headers and bodies, as on the page'],
  ],
  handler: ({ hook, limit, before }, session) =>
    withSandbox(session, async (sandbox) =>
      hook === undefined ? allHooks(sandbox) : requestsOf(sandbox, hook, limit, before),
    ),
  json: ({ json }) => json,
  text: (found, view, { hook }) =>
    'hooks' in found
      ? view.table(
          found.hooks,
          { hook: upTo(40, 'name'), requests: 'requests', verified: 'verified', last: 'lastAt' },
          'No hook has received a request yet.',
        )
      : view.table(
          found.requests,
          {
            id: 'id',
            received: 'receivedAt',
            event: upTo(40, 'event'),
            message: upTo(40, 'messageId'),
            attempt: 'attempt',
            'X-Service-Signature': upTo(40, 'serviceSignature'),
            'webhook-signature': upTo(40, 'standardSignature'),
            answer: upTo(40, 'answer'),
          },
          `The hook ${hook} has received no request yet.`,
        ),
});

const contentsText = ({ mails, pendingReports, hookRequests }: Emptied): string =>
  `${counted(mails, 'mail')}, ${counted(pendingReports, 'pending report')} and ${counted(hookRequests, 'webhook request')}`;

const reset = operation('sandbox.reset', 'operator', {
  summary: 'delete all messages and webhook requests of the sandbox, with its pending reports and retry counts',
  options: { yes: flag('confirm; without it the command only shows what would be deleted') },
  examples: [
    ['sandbox reset', 'what would be deleted'],
    ['sandbox reset --yes', 'an empty sandbox'],
  ],
  notes: `Works whether the service is running or not. Messages that await a delivery report never get it, and fail after
KURIR_EVIDENCE_WAIT. From then on, the audit compares only messages sent after the reset. A file of another installation
is emptied too, and belongs to this one afterwards.`,
  handler: async ({ yes }, session) => {
    const path = sandboxFileOf(session.config);
    if (path === null) throw noSandbox(session);
    if (!yes) {
      const contents = contentsText(sandboxContents(path));
      throw new UsageError(why('reset', { contents, path }), 'Run it again with --yes.', '--yes');
    }
    await session.note('sandbox reset', path, null);
    return resetSandbox(path, session);
  },
  json: ({ mails, pendingReports, hookRequests, since }) => ({
    mails,
    pending_reports: pendingReports,
    hook_requests: hookRequests,
    since: jsonTime(since),
  }),
  text: (emptied) => `Deleted ${contentsText(emptied)}.\n`,
});

export const SANDBOX = { inbox, hooks, reset };
