import type { Line, ReportKind } from '../../../proof/judge/history';
import { ALL, Play } from './play';

const KINDS: readonly ReportKind[] = ['delivered', 'delivered', 'delivered', 'full', 'unknown', 'complaint', 'spam'];
/** Lines that one message takes, about. */
const A_MESSAGE = 9;

/** The history of a right run, of about so many lines: some workspaces side by side, with hooks, opens and reads. */
export function largeHistory(lines: number, workspaces = 20): Line[] {
  const each = Math.ceil(lines / A_MESSAGE / workspaces);
  const plays = Array.from({ length: workspaces }, (_, index) => playOf(index + 1, each));
  return plays.flatMap((play) => play.final()).sort((a, b) => a.t - b.t);
}

function playOf(workspace: number, messages: number): Play {
  const play = new Play(workspace, { coins: messages * 5 }).subscribe(`h${workspace}`, ALL);
  for (let i = 0; i < messages; i += 1) {
    const [id, kind] = [`${workspace}-${i}`, KINDS[i % KINDS.length] ?? 'delivered'];
    play.wait(60).whole(id, kind);
    const events = kind === 'complaint' ? ['delivered', 'complaint'] : [kind === 'delivered' ? 'delivered' : 'bounce'];
    for (const event of events) play.deliver(`h${workspace}`, id, event);
    if (i % 10 === 0) play.read();
  }
  return play;
}
