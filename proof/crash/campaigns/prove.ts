import { runCampaign, type CampaignOptions } from './run-campaign';

/** Runs the proof of campaigns. Returns what it found as text, and whether that is good. */
export async function proveCampaign(options: CampaignOptions): Promise<{ text: string; isGood: boolean }> {
  const { faults, skipped, ...found } = await runCampaign(options);
  const rows: [string, number][] = [
    ['contacts', options.contacts],
    ['refused lines', found.refusedLines],
    ['imported a second', found.importRate],
    ...Object.entries(skipped).map(([reason, n]): [string, number] => [`skipped: ${reason}`, n]),
    ['mails at the sink', found.taken],
    ['failed, never sent', found.neverSent],
    ['kills', found.kills],
    ['looks at the counts', found.looks],
    ['faults', faults.length],
    ['seconds of sending', found.took / 1_000],
  ];
  const lines = [...faults, '', ...rows.map(([name, n]) => `${name.padEnd(26)} ${String(Math.round(n)).padStart(9)}`)];
  return { text: lines.join('\n'), isGood: faults.length === 0 };
}
