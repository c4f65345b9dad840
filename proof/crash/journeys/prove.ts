import { runJourneys, type JourneysOptions } from './run-journeys';

/** Runs the proof of journeys. Returns what it found as text, and whether that is good. */
export async function proveJourneys(options: JourneysOptions): Promise<{ text: string; isGood: boolean }> {
  const { faults, ends, ...found } = await runJourneys(options);
  const rows: [string, number][] = [
    ['contacts', options.contacts],
    ...Object.entries(ends),
    ['steps done', found.steps],
    ['mails at the sink', found.taken],
    ['failed, never sent', found.neverSent],
    ['kills', found.kills],
    ['faults', faults.length],
    ['seconds', found.took / 1_000],
  ];
  const lines = [...faults, '', ...rows.map(([name, n]) => `${name.padEnd(26)} ${String(Math.round(n)).padStart(9)}`)];
  return { text: lines.join('\n'), isGood: faults.length === 0 };
}
