import { Command } from 'commander';
import { runAudit, type AuditSummary } from '../app/audit';
import { readConfig } from '../app/config';
import { openAudit, type OpenAudit } from '../app/open-audit';
import { AUDIT_RULES, type Difference } from '../domain/audit/difference';
import { ProgressLine } from './progress-line';

interface Options {
  json: boolean;
  sandbox: boolean;
}

const EXAMPLES = `
It reads only, and works beside the running service or without one. Exit code 0: everything adds up; 1: something does not, or
the data cannot be read; 2: wrong usage.

Rules:
${Object.entries(AUDIT_RULES)
  .map(([rule, about]) => `  ${rule.padEnd(20)} ${about}`)
  .join('\n')}

With --json one object: {"ok": boolean, "ms": number, "checked": {"messages": number, ...}, "differences": number,
"found": [{"rule", "subject", "expected", "found", "detail"?}, ...]}.

Examples:
  kurir audit
  kurir audit --json | jq '.found[] | .rule' | sort | uniq -c
  kurir audit --no-sandbox      a part of the mail went to another server than the sandbox`;

/** `kurir audit`: holds all data against itself and prints what does not add up, with both figures. */
export function auditCommand(): Command {
  return new Command('audit')
    .description('prove that no mail was lost, none doubled and no coin is wrong')
    .option('--json', 'one JSON object on standard output', false)
    .option('--no-sandbox', 'leave out what the sandbox received')
    .addHelpText('after', EXAMPLES)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .action(async (options: Options) => {
      process.stdout.on('error', endWithReader);
      const audit = openAudit(readConfig(process.env));
      try {
        const differences = options.json ? await auditAsJson(audit, options) : await auditAsText(audit, options);
        if (differences > 0) process.exitCode = 1;
      } finally {
        await audit.close();
      }
    });
}

/** Whoever read the differences, such as `head`, has seen enough: they are there, so the exit code is that of differences. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(1);
  throw error;
}

/** Written as it is found, so that memory does not grow with what is wrong. */
async function auditAsJson(audit: OpenAudit, options: Options): Promise<number> {
  let first = true;
  process.stdout.write('{"found":[');
  const summary = await run(audit, options, (difference) => {
    process.stdout.write(`${first ? '' : ','}\n${JSON.stringify(difference)}`);
    first = false;
  });
  const { checked, differences, ms } = summary;
  const rest = JSON.stringify({ ok: differences === 0, differences, checked, ms });
  process.stdout.write(`],\n${rest.slice(1)}\n`);
  return differences;
}

async function auditAsText(audit: OpenAudit, options: Options): Promise<number> {
  const summary = await run(audit, options, ({ rule, subject, expected, found, detail }) => {
    const more = detail === undefined ? '' : `\n  ${detail}`;
    process.stdout.write(`${rule}: ${subject}\n  expected  ${expected}\n  found     ${found}${more}\n`);
  });
  process.stdout.write(`${conclusion(summary)}\n`);
  return summary.differences;
}

async function run(
  { source, sandbox }: OpenAudit,
  options: Options,
  onDifference: (difference: Difference) => void,
): Promise<AuditSummary> {
  const progress = new ProgressLine(process.stderr, 'messages');
  try {
    return await runAudit(source, {
      onDifference: (difference) => {
        progress.clear();
        onDifference(difference);
      },
      onProgress: (done, total) => progress.show(done, total),
      ...(sandbox && options.sandbox ? { sandbox } : {}),
    });
  } finally {
    progress.clear();
  }
}

function conclusion({ checked, differences, ms }: AuditSummary): string {
  const looked = Object.entries(checked).map(([what, n]) => `${n.toLocaleString('en')} ${what.replaceAll('_', ' ')}`);
  const verdict = differences === 0 ? 'Everything adds up' : `${differences.toLocaleString('en')} differences`;
  return `${verdict}: ${looked.join(', ')} checked in ${(ms / 1_000).toFixed(1)} s.`;
}
