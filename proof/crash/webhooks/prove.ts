import type { WebhooksOptions } from './ground';
import { runWebhooks } from './run-webhooks';

/** Runs the proof of webhooks. Returns what it found as text, and whether that is good. */
export async function proveWebhooks(options: WebhooksOptions): Promise<{ text: string; isGood: boolean }> {
  const { faults, memory, ...found } = await runWebhooks(options);
  const rows: [string, number][] = [
    ['events', found.events],
    ['arrived at good endpoints', found.arrived],
    ['lost', found.lost],
    ['came again, same id', found.repeats],
    ['came under two ids', found.severalIds],
    ['requests in all', found.requests],
    ['kills', found.kills],
    ['arrivals a second', found.rate],
    ['worst wait, ms off', found.worstWait],
    ['peak memory, MB', memory.peak],
    ['faults', faults.length],
    ['seconds', found.took / 1_000],
  ];
  const lines = [
    ...faults,
    '',
    ...rows.map(([name, value]) => `${name.padEnd(26)} ${String(Math.round(value)).padStart(9)}`),
    `memory by quarters of the longest life (${memory.life} s), MB: ${memory.quarters.join(', ')}`,
  ];
  return { text: lines.join('\n'), isGood: faults.length === 0 };
}
