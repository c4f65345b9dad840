import type { Command } from 'commander';
import { runAudit, type AuditSummary } from '../app/audit/audit';
import { openAudit, type OpenAudit } from '../app/audit/open-audit';
import { AUDIT_RULES, type Difference } from '../domain/audit/difference';
import type { Commands, Terminal } from './support/command';
import type { Answer, Piece } from './support/output';
import type { Paint } from './support/paint';
import { printable } from './support/text';

const RULES = Object.entries(AUDIT_RULES).map(([rule, about]) => `  ${rule.padEnd(20)} ${about}`);

/** `kurir audit`: checks all data against itself and prints every difference, with both figures. */
export const auditCommand = (commands: Commands): Command =>
  commands.verb({
    name: 'audit',
    summary: 'prove that no mail was lost, none doubled and no coin is wrong',
    options: [['--no-sandbox', 'leave out what the sandbox received']],
    examples: [
      ['audit', 'exit code 1 when anything does not add up'],
      ['audit --json | jq -r ".found[].rule" | sort | uniq -c', 'count the differences by rule'],
      ['audit --no-sandbox', 'some mail went to a server other than the sandbox'],
    ],
    notes: `Only reads. Works while the service runs or without it.\n\nRules:\n${RULES.join('\n')}`,
    // Opening it like other commands would migrate older data, and an audit only reads.
    bare: true,
    run: (input) => {
      const withSandbox = input.has('sandbox');
      return async (terminal) => {
        const audit = await openAudit(terminal.host.config());
        try {
          return await perform(terminal, withSandbox ? audit : { ...audit, sandbox: null });
        } finally {
          await audit.close();
        }
      };
    },
  });

async function perform(terminal: Terminal, { source, sandbox }: OpenAudit): Promise<Answer> {
  const { host, paint } = terminal;
  const found = terminal.listing('found');
  const bar = terminal.progress('messages', null);
  try {
    const summary = await runAudit(source, {
      onDifference: (difference) => {
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
    const { checked, differences, ms } = summary;
    const ok = differences === 0;
    const received = sandbox ? (checked['received'] ?? 0) : null;
    return {
      text: `${conclusion(paint, summary)}\n`,
      json: { ok, differences, checked: { ...checked, received }, ms },
      code: ok ? 0 : 1,
    };
  } finally {
    bar.done();
  }
}

function present(paint: Paint, { rule, subject, expected, found, detail }: Difference): Piece {
  const more = detail === undefined ? '' : `  ${printable(detail)}\n`;
  const figures = [
    `  ${paint('dim', 'expected')}  ${printable(expected)}\n`,
    `  ${paint('dim', 'found')}     ${printable(found)}\n`,
  ];
  return {
    text: `${paint('bad', rule)}: ${printable(subject)}\n${figures.join('')}${more}`,
    json: { rule, subject, expected, found, detail: detail ?? null },
  };
}

function conclusion(paint: Paint, { checked, differences, ms }: AuditSummary): string {
  const looked = Object.entries(checked).map(([what, n]) => `${n.toLocaleString('en')} ${what.replaceAll('_', ' ')}`);
  const wrong = `${differences.toLocaleString('en')} ${differences === 1 ? 'difference' : 'differences'}`;
  const verdict = differences === 0 ? paint('good', 'Everything adds up') : paint('bad', wrong);
  return `${verdict}: ${looked.join(', ')} checked in ${(ms / 1_000).toFixed(1)} s.`;
}
