import { runAudit, type AuditSummary } from '../operations/audit/run-audit';
import { openAudit, type OpenAudit, type SandboxFile } from '../operations/audit/open-audit';
import { AUDIT_RULES, type Difference } from '../domain/audit/difference';
import { printable } from '../lib/printable';
import { conclusionText, differenceText, groupsText, sandboxNotes } from './support/audit-text';
import { bareCommand, type CliCommand, type Terminal } from './support/command';
import { DifferenceGroups, type DifferenceGroup } from '../operations/audit/difference-groups';
import { flag, jsonTime, type Piece, unless, UsageError, type View, why } from '../operations/definition';
import { counted } from '../lib/counted';

const RULES = Object.entries(AUDIT_RULES).map(([rule, about]) => `  ${rule.padEnd(20)} ${about}`);
/** Differences shown in all, without --all. */
const SHOWN = 20;

/** `kurir audit`: checks all data against itself and prints the differences by rule, with both figures. */
export const AUDIT_COMMANDS: readonly CliCommand[] = [
  // Opening it like other commands would migrate older data, and an audit only reads.
  bareCommand('audit', {
    options: {
      all: flag(`print every difference as it is found; default: the first ${SHOWN}, by rule`),
      summary: flag('count the differences of each rule without listing them'),
      sandbox: unless('skip messages that the sandbox received'),
    },
    examples: [
      ['audit', 'exit code 1 if anything differs'],
      ['audit --all', 'every difference'],
      ['audit --json | jq ".groups"', 'each rule, its number of differences and the likely cause'],
      ['audit --summary --json', 'only the result, for a monitor'],
      ['audit --no-sandbox', 'if some email went through a server other than the sandbox'],
    ],
    check: ({ all, summary }) => {
      if (all && summary)
        throw new UsageError(why('exclude', { one: '--all', other: '--summary' }), 'Use only one of them.', '--all');
    },
    notes: `Read-only. Works whether the service is running or not.\n\nRules:\n${RULES.join('\n')}`,
    handler: async ({ sandbox, summary, ...input }, terminal) => {
      const { host } = terminal;
      const audit = await openAudit(host.config(), await host.tools());
      const all = !summary && (input.all || terminal.isJson);
      const shown = all || summary ? 0 : SHOWN;
      try {
        return await perform(terminal, sandbox ? audit : { ...audit, sandbox: null, sandboxFile: null }, {
          all,
          shown,
        });
      } finally {
        await audit.close();
      }
    },
    code: ({ summary }) => (summary.differences === 0 ? 0 : 1),
    json: auditJson,
    text: auditText,
  }),
];

interface Found {
  summary: AuditSummary;
  groups: DifferenceGroup[];
  sandboxFile: SandboxFile | null;
  notes: string[];
  all: boolean;
}

async function perform(
  terminal: Terminal,
  { source, sandbox, sandboxFile }: OpenAudit,
  { all, shown }: { all: boolean; shown: number },
): Promise<Found> {
  const { host, view } = terminal;
  const found = all ? terminal.listing('found') : null;
  const groups = new DifferenceGroups(shown);
  const bar = terminal.progress('messages', null);
  try {
    const summary = await runAudit(source, {
      onDifference: (difference) => {
        groups.add(difference);
        if (!found) return;
        bar.done();
        found(present(view, difference));
      },
      onProgress: (done, total) => {
        host.readerGone?.throwIfAborted();
        bar.to(done, total);
      },
      ...(sandbox && { sandbox }),
    });
    bar.done();
    const notes = sandboxNotes(sandboxFile, summary, view);
    return { summary, groups: groups.list(), sandboxFile, notes, all };
  } finally {
    bar.done();
  }
}

function present({ paint }: View, difference: Difference): Piece {
  const { rule, subject, expected, found, detail } = difference;
  return {
    text: differenceText(paint, difference, `${paint('bad', rule)}: ${printable(subject)}`),
    json: { rule, subject, expected, found, detail: detail ?? null },
  };
}

function auditText({ summary, groups, notes, all }: Found, view: View): string {
  const { differences } = summary;
  const shown = groups.reduce((sum, group) => sum + group.shown.length, 0);
  return [
    `${all && differences > 0 ? '\n' : ''}${groupsText(view.paint, groups)}`,
    ...notes.map((note) => `${note}\n`),
    !all && shown < differences
      ? `Showing ${counted(shown, 'difference')} of ${differences}. Run kurir audit --all to see every one.\n`
      : '',
    `${conclusionText(view.paint, summary)}\n`,
  ].join('');
}

function auditJson({ summary, groups, sandboxFile, notes }: Found) {
  const { checked, differences, ms } = summary;
  return {
    ok: differences === 0,
    differences,
    groups: groups.map(({ rule, count, cause }) => ({ rule, count, likely_cause: cause })),
    checked: { ...checked, received: checked.received ?? null },
    sandbox: sandboxFile && presentSandbox(sandboxFile, summary),
    notes,
    ms,
  };
}

const presentSandbox = ({ path, installationId, since, compared }: SandboxFile, { notCompared }: AuditSummary) => ({
  file: path,
  installation_id: installationId,
  since: jsonTime(since),
  compared,
  messages_before: notCompared,
});
