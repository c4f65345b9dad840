import type { Command } from 'commander';
import { openMail, presentInbox, readSandbox, type SandboxReader } from '../app/operator/sandbox-inbox';
import { resetSandbox, sandboxContents, sandboxFileOf, type Emptied } from '../app/operator/reset-sandbox';
import { advance, now } from './sandbox-clock';
import { hooks, noSandbox } from './sandbox-hooks';
import type { Commands, Session, VerbSpec } from './support/command';
import { CommandError, UsageError } from './support/errors';
import { whole } from './support/input';
import type { Answer } from './support/output';
import { fields, table } from './support/table';
import { printable } from './support/text';
import { jsonTime, showTime } from './support/times';

const addresses = (recipients: readonly { address: string }[]): string =>
  recipients.map(({ address }) => address).join(', ');

function showList({ paint }: Session, sandbox: SandboxReader, limit: number, before: number | undefined): Answer {
  const found = sandbox.list(limit + 1, before);
  const mails = found.slice(0, limit);
  const older = found.length > limit ? (mails.at(-1)?.id ?? null) : null;
  return {
    text: table(
      paint,
      [
        { title: 'id' },
        { title: 'received' },
        { title: 'to', max: 40 },
        { title: 'subject', max: 40 },
        { title: 'copies' },
        { title: 'reports' },
      ],
      mails.map((mail) => [
        mail.id,
        showTime(mail.receivedAt),
        addresses(mail.recipients),
        mail.subject,
        mail.copies,
        mail.reports.map(({ kind, state }) => `${kind} ${state}`).join(', ') || null,
      ]),
      'No mail in the sandbox yet.',
    ),
    json: presentInbox(mails, sandbox.total(), older),
  };
}

/** A mail's text keeps its lines; other control characters are shown escaped. */
const bodyText = (text: string): string => text.split(/\r?\n/).map(printable).join('\n');

async function showMail({ paint }: Session, sandbox: SandboxReader, id: number): Promise<Answer> {
  const mail = sandbox.get(id);
  if (!mail)
    throw new CommandError(`<mail>: no mail ${id} in the sandbox.`, 'kurir sandbox inbox lists them.', '<mail>');
  const { content, json } = await openMail(mail);
  const head = fields(paint, [
    ['id', mail.id],
    ['received', showTime(mail.receivedAt)],
    ['message', mail.messageId],
    ['from', mail.from],
    ['to', addresses(mail.recipients)],
    ['subject', mail.subject],
    ['return path', mail.mailFrom],
    ['size', `${mail.size} bytes`],
    ['copies', mail.copies],
    ['reports', mail.reports.map(({ kind, state }) => `${kind} ${state}`).join(', ') || null],
    ['attachments', content.attachments.map(({ filename, size }) => `${filename} (${size} bytes)`).join(', ') || null],
  ]);
  return { text: `${head}\n${bodyText(content.fault ?? content.text ?? '(no text part)')}\n`, json };
}

const inbox: VerbSpec = {
  name: 'inbox',
  summary: 'the mails the sandbox received, newest first; or one of them',
  args: [['[mail]', 'id of a mail']],
  options: [
    ['--limit <n>', 'mails at most, 1 to 500; default: 20'],
    ['--before <id>', 'only mails before this one: the next page'],
  ],
  examples: [
    ['sandbox inbox', 'the last 20'],
    ['sandbox inbox 3', 'one mail: envelope, reports, text'],
    ['sandbox inbox 3 --json', 'with headers and HTML, as the inbox page answers it'],
  ],
  run: (input) => {
    const id = input.optionalArg('mail', whole(1, Number.MAX_SAFE_INTEGER));
    const limit = input.option('limit', whole(1, 500)) ?? 20;
    const before = input.option('before', whole(1, Number.MAX_SAFE_INTEGER));
    return async (session) => {
      const sandbox = readSandbox(session.config);
      if (!sandbox) throw noSandbox(session);
      try {
        return id === undefined ? showList(session, sandbox, limit, before) : await showMail(session, sandbox, id);
      } finally {
        sandbox.close();
      }
    };
  },
};

const counted = (n: number, one: string): string => `${n.toLocaleString('en')} ${one}${n === 1 ? '' : 's'}`;

const contentsText = ({ mails, pendingReports, hookRequests }: Emptied): string =>
  `${counted(mails, 'mail')}, ${counted(pendingReports, 'pending report')} and ${counted(hookRequests, 'hook request')}`;

const reset: VerbSpec = {
  name: 'reset',
  summary: 'delete every mail of the sandbox, with its pending reports and counted tries, and what its hooks received',
  options: [['--yes', 'do it; without it the command only says what it would delete']],
  examples: [
    ['sandbox reset', 'what would be deleted'],
    ['sandbox reset --yes', 'an empty sandbox'],
  ],
  notes: `Works while the service runs or without it. Messages that wait for a report never get it, and fail after KURIR_EVIDENCE_WAIT.
The audit compares with the sandbox only what is handed over from then on. A file of another installation is emptied too,
and belongs to this one afterwards.`,
  run: (input) => {
    const yes = input.has('yes');
    return async (session) => {
      const path = sandboxFileOf(session.config);
      if (path === null) throw noSandbox(session);
      if (!yes) {
        throw new UsageError(
          `This deletes ${contentsText(sandboxContents(path))} in ${path}.`,
          'Repeat it with --yes.',
          '--yes',
        );
      }
      await session.note('sandbox reset', path, null);
      const { since, ...emptied } = await resetSandbox(path, session);
      const { mails, pendingReports, hookRequests } = emptied;
      return {
        text: `Deleted ${contentsText(emptied)}.\n`,
        json: { mails, pending_reports: pendingReports, hook_requests: hookRequests, since: jsonTime(since) },
      };
    };
  },
};

/** The `kurir sandbox` commands. */
export const sandboxCommand = (commands: Commands): Command =>
  commands.group('sandbox', 'the sending server inside the process, and the clock of the service', [
    inbox,
    hooks,
    advance,
    now,
    reset,
  ]);
