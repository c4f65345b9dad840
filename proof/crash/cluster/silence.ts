import type { Acts } from '../../judge/history';
import { doneOf, type Scene } from '../stage/play';

/** The longest time any premium workspace went without a mail, ms, while messages of all workspaces were sent. */
export function longestSilence(scene: Scene, { from, to }: { from: number; to: number }): number {
  const premium = scene.senders.filter(({ isFree }) => !isFree);
  const owners = new Map(doneOf(scene, 'send').map(({ value }) => [value.to, value.workspace]));
  const last = new Map(premium.map(({ workspaceId }) => [workspaceId, from]));
  let longest = 0;
  for (const { f, type, t, value } of scene.outside.recorder.lines) {
    if (f !== 'take' || type !== 'invoke' || t > to) continue;
    const owner = owners.get((value as Acts['take'][0]).to) ?? 0;
    longest = Math.max(longest, t - (last.get(owner) ?? t));
    if (last.has(owner)) last.set(owner, t);
  }
  return Math.max(longest, ...[...last.values()].map((at) => to - at));
}
