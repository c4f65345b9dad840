import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessUsage, processUsage } from '../../crash/process-usage';
import type { Child } from '../../crash/stage/child';
import { CommandLine } from '../../crash/stage/command-line';
import { fillFolder } from '../filled-shop';
import { inFolder } from '../in-folder';
import { fixed, machine, type Section, whole } from '../report';

export const AUDIT_TITLE = 'Audit';

/** Interval between two memory samples of the audit, ms. */
const LOOK_EVERY = 50;

/** Time and peak memory of `kurir audit` in its own process, over more and more messages. */
export async function auditTime(quick: boolean): Promise<Section> {
  const rows: string[][] = [];
  for (const messages of quick ? [10_000, 50_000] : [100_000, 1_000_000]) {
    const size = { messages, contacts: messages / 10, campaigns: messages / 100 };
    rows.push(
      await inFolder(async (dataDir) => {
        await fillFolder(dataDir, size);
        return auditRow(dataDir, messages);
      }),
    );
  }
  return {
    title: AUDIT_TITLE,
    about:
      `\`npm run bench -- audit\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} The command in a ` +
      'process of its own over a workspace with a campaign for each 100 messages and a contact for each 10, opens and clicks, an idempotency ' +
      'key for four in ten messages, and 16 in a hundred bounced, refused, retried or without a record.',
    head: ['messages', 'data GB', 'ledger rows', 'seconds', 'messages/s', 'CPU seconds', 'peak memory MB'],
    rows,
  };
}

async function auditRow(dataDir: string, size: number): Promise<string[]> {
  const { summary, usage } = await audit(dataDir);
  const { checked, differences, ms } = summary;
  if (differences > 0 || checked['messages'] !== size)
    throw new Error(`The audit is wrong: ${JSON.stringify(summary)}`);
  const bytes = readdirSync(dataDir).reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0);
  return [
    whole(size),
    fixed(bytes / 1e9, 1),
    whole(checked['ledger_rows'] ?? 0),
    fixed(ms / 1_000, 1),
    whole((size / ms) * 1_000),
    usage ? fixed(usage.cpuSeconds, 1) : '',
    usage ? whole(usage.peakMemory) : '',
  ];
}

interface Summary {
  checked: Record<string, number>;
  differences: number;
  ms: number;
}

async function audit(dataDir: string): Promise<{ summary: Summary; usage: ProcessUsage | null }> {
  const child = new CommandLine(__dirname, { KURIR_DATA_DIR: dataDir }).start('audit');
  const usage = watch(child);
  await child.ended;
  if (child.stderr !== '') throw new Error(`The audit failed: ${child.stderr}`);
  return { summary: JSON.parse(child.stdout) as Summary, usage: usage() };
}

/** The last usage the system reports before the process ends; its peak only grows. */
function watch(child: Child): () => ProcessUsage | null {
  let last: ProcessUsage | null = null;
  const look = (): void => {
    const usage = processUsage(child.pid);
    // A process that ended and was not yet waited for has no memory.
    if (usage && Number.isFinite(usage.peakMemory)) last = usage;
  };
  const timer = setInterval(look, LOOK_EVERY);
  return () => {
    clearInterval(timer);
    return last;
  };
}
