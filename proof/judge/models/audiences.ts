import type { Act } from '../acts';
import { findingsOf, type Finding } from '../finding';
import { addressOf } from '../rules';
import type { Run, Workspace } from '../run';
import { leastPossible } from './balance-bounds';
import { mayBeStopped } from './stopped';

/** Who joined is a member, once; in an audience of double opt-in it counts once it has confirmed, and was asked. */
export function judgeAudiences(run: Run, workspace: Workspace): Finding[] {
  const [read] = workspace.more.export;
  if (!read?.answer) return [];
  const { list, add } = findingsOf(`workspace ${workspace.id}`);
  const asked = new Set(
    workspace.messages.flatMap(({ origin }) => (origin?.by.f === 'join' ? [addressOf(origin.to)] : [])),
  );
  for (const { audience, members } of read.answer.audiences) {
    const joins = possible(workspace.more.join, audience);
    const confirms = possible(workspace.more.confirm, audience);
    const seen = new Map<string, boolean>();
    for (const { to, confirmed } of members) {
      const address = addressOf(to);
      if (seen.has(address)) add('member', `${to} is a member of ${audience} twice.`, [read]);
      seen.set(address, confirmed);
      const acts = joins.get(address) ?? [];
      const isDouble = acts[0]?.value.double ?? false;
      const byMail = confirms.get(address) ?? [];
      if (acts.length === 0) add('member', `${to} is a member of ${audience}, and never joined.`, [read]);
      else if (confirmed && isDouble && byMail.length === 0)
        add('member', `${to} counts, and never confirmed.`, [...acts, read]);
      else if (!confirmed && (!isDouble || byMail.some(({ answer }) => answer?.status === 200)))
        add('member', `${to} does not count.`, [...acts, ...byMail, read]);
    }
    for (const [to, acts] of joins) {
      const sure = acts.find(({ result }) => result === 'ok');
      if (!sure) continue;
      if (!seen.has(to)) add('member', `${to} joined, and is no member.`, [...acts, read]);
      const mayLackMail = mayBeStopped(workspace, to) || leastPossible(run, workspace) < 1;
      if (sure.value.double && !asked.has(to) && !mayLackMail)
        add('member', `${to} was never asked to confirm.`, [...acts, read]);
    }
  }
  return list;
}

/** What may have happened in an audience, by address. */
function possible<F extends 'join' | 'confirm'>(acts: readonly Act<F>[], audience: number): Map<string, Act<F>[]> {
  const found = new Map<string, Act<F>[]>();
  for (const act of acts) {
    if (act.result === 'fail' || act.value.audience !== audience) continue;
    const to = addressOf(act.value.to);
    found.set(to, [...(found.get(to) ?? []), act]);
  }
  return found;
}
