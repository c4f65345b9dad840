import type { WebhooksOptions } from './ground';
import { runWebhooks } from './run-webhooks';

/** Runs the proof of webhooks and prints what it found. Returns the exit code: 0 when nothing is wrong. */
export async function proveWebhooks(options: WebhooksOptions): Promise<number> {
  const { faults, memory, ...found } = await runWebhooks(options);
  for (const fault of faults) console.log(fault);
  const rows: [string, number][] = [
    ['events', found.events],
    ['arrived at good endpoints', found.arrived],
    ['requests in all', found.requests],
    ['kills', found.kills],
    ['arrivals a second', found.rate],
    ['worst wait, ms off', found.worstWait],
    ['peak memory, MB', memory.peak],
    ['faults', faults.length],
    ['seconds', found.took / 1_000],
  ];
  console.log(
    ['', ...rows.map(([name, value]) => `${name.padEnd(26)} ${String(Math.round(value)).padStart(9)}`)].join('\n'),
  );
  console.log(`memory by fifths of the longest life, MB: ${memory.fifths.join(', ')}`);
  return faults.length === 0 ? 0 : 1;
}
