import type { Command } from 'commander';
import { runAudit, type AuditSummary } from '../app/audit/audit';
import { openAudit, type OpenAudit, type SandboxFile } from '../app/audit/open-audit';
import { AUDIT_RULES, type Difference } from '../domain/audit/difference';
import { conclusionText, differenceText, groupsText, sandboxNotes } from './support/audit-text';
import type { Commands, Terminal } from './support/command';
import { DifferenceGroups, type DifferenceGroup } from './support/difference-groups';
import type { Answer, Piece } from './support/output';
import type { Paint } from './support/paint';
import { printable } from './support/text';
import { jsonTime } from './support/times';

const RULES = Object.entries(AUDIT_RULES).map(([rule, about]) => `  ${rule.padEnd(20)} ${about}`);
/** Differences shown in all, without --all. */
const SHOWN = 20;

/** `kurir audit`: checks all data against itself and prints the differences by rule, with both figures. */
export const auditCommand = (commands: Commands): Command =>
  commands.verb({
    name: 'audit',
    summary: 'prove that no mail was lost, none doubled and no coin is wrong',
    options: [
      ['--all', `print every difference as it is found; default: the first ${SHOWN}, by rule`],
      ['--no-sandbox', 'leave out what the sandbox received'],
    ],
    examples: [
      ['audit', 'exit code 1 when anything does not add up'],
      ['audit --all', 'every difference'],
      ['audit --json | jq ".groups"', 'the rules, with the number of differences and the likely cause'],
      ['audit --no-sandbox', 'some mail went to a server other than the sandbox'],
    ],
    notes: `Only reads. Works while the service runs or without it.\n\nRules:\n${RULES.join('\n')}`,
    // Opening it like other commands would migrate older data, and an audit only reads.
    bare: true,
    run: (input) => {
      const withSandbox = input.has('sandbox');
      const all = input.has('all') || input.has('json');
      return async (terminal) => {
        const audit = await openAudit(terminal.host.config());
        try {
          return await perform(terminal, withSandbox ? audit : { ...audit, sandbox: null, sandboxFile: null }, all);
        } finally {
          await audit.close();
        }
      };
    },
  });

async function perform(terminal: Terminal, { source, sandbox, sandboxFile }: OpenAudit, all: boolean): Promise<Answer> {
  const { host, paint } = terminal;
  const found = all ? terminal.listing('found') : null;
  const groups = new DifferenceGroups(all ? 0 : SHOWN);
  const bar = terminal.progress('messages', null);
  try {
    const summary = await runAudit(source, {
      onDifference: (difference) => {
        groups.add(difference);
        if (!found) return;
        bar.done();
        found(present(paint, difference));
      },
      onProgress: (done, total) => {
        host.readerGone?.throwIfAborted();
        bar.to(done, total);
      },
      ...(sandbox && { sandbox }),
    });
    bar.done();
    return answer(paint, summary, { groups: groups.list(), sandboxFile, all });
  } finally {
    bar.done();
  }
}

function present(paint: Paint, difference: Difference): Piece {
  const { rule, subject, expected, found, detail } = difference;
  return {
    text: differenceText(paint, difference, `${paint('bad', rule)}: ${printable(subject)}`),
    json: { rule, subject, expected, found, detail: detail ?? null },
  };
}

interface Found {
  groups: DifferenceGroup[];
  sandboxFile: SandboxFile | null;
  all: boolean;
}

function answer(paint: Paint, summary: AuditSummary, { groups, sandboxFile, all }: Found): Answer {
  const { checked, differences, ms } = summary;
  const ok = differences === 0;
  const notes = sandboxNotes(sandboxFile, summary);
  const shown = groups.reduce((sum, group) => sum + group.shown.length, 0);
  const cut = !all && shown < differences;
  const text = [
    `${all && !ok ? '\n' : ''}${groupsText(paint, groups)}`,
    ...notes.map((note) => `${note}\n`),
    ...(cut ? [`${shown} of the differences are shown; kurir audit --all shows every one.\n`] : []),
    `${conclusionText(paint, summary)}\n`,
  ];
  return {
    text: text.join(''),
    json: {
      ok,
      differences,
      groups: groups.map(({ rule, count, cause }) => ({ rule, count, likely_cause: cause })),
      checked: { ...checked, received: checked.received ?? null },
      sandbox: sandboxFile && presentSandbox(sandboxFile, summary),
      notes,
      ms,
    },
    code: ok ? 0 : 1,
  };
}

const presentSandbox = ({ path, installationId, since, compared }: SandboxFile, { notCompared }: AuditSummary) => ({
  file: path,
  installation_id: installationId,
  since: jsonTime(since),
  compared,
  messages_before: notCompared,
});
