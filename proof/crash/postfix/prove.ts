import { whyNoPostfix } from './postfix';
import { runPostfix, type PostfixRunOptions } from './run-postfix';

/** Runs the proof with Postfix. Returns what it found as text, and whether that is good. Throws where none can run. */
export async function provePostfix(options: PostfixRunOptions): Promise<{ text: string; isGood: boolean }> {
  const why = whyNoPostfix();
  if (why !== null) throw new Error(`The scenario postfix cannot run here: ${why}.`);
  const { doubled, lost, coinsWrong, differences, ...found } = await runPostfix(options);
  const wrong = [...doubled, ...lost, ...coinsWrong, ...differences];
  const rows: [string, number][] = [
    ['mails', found.mails],
    ['kills past the fence', found.kills],
    ['not taken, queued again', found.queuedAgain],
    ['lost', lost.length],
    ['doubled', doubled.length],
    ['coins wrong', coinsWrong.length],
    ['audit differences', differences.length],
    ['seconds', Math.round(found.took / 1_000)],
  ];
  const lines = rows.map(([name, value]) => `${name.padEnd(26)} ${String(value).padStart(8)}`);
  return { text: [...wrong, '', ...lines].join('\n'), isGood: wrong.length === 0 };
}
