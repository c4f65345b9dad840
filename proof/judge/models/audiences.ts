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
    const [joins, confirms] = [possible(workspace.more.join, audience), possible(workspace.more.confirm, audience)];
    const seen = new Set<string>();
    for (const member of members) {
      const address = addressOf(member.to);
      const about = { joins: joins.get(address) ?? [], confirms: confirms.get(address) ?? [] };
      const wrong = seen.has(address) ? 'is a member twice.' : wrongMember(member.confirmed, about);
      if (wrong) add('member', `${member.to} ${wrong}`, [...about.joins, ...about.confirms, read]);
      seen.add(address);
    }
    for (const [to, acts] of joins) {
      const sure = acts.find(({ result }) => result === 'ok');
      if (!sure) continue;
      if (!seen.has(to)) add('member', `${to} joined, and is no member.`, [...acts, read]);
      if (sure.value.double && !asked.has(to) && !mayLackMail(run, workspace, to))
        add('member', `${to} was never asked to confirm.`, [...acts, read]);
    }
  }
  return list;
}

const mayLackMail = (run: Run, workspace: Workspace, to: string): boolean =>
  mayBeStopped(workspace, to) || leastPossible(run, workspace) < 1;

interface About {
  joins: Act<'join'>[];
  confirms: Act<'confirm'>[];
}

function wrongMember(isConfirmed: boolean, { joins, confirms }: About): string | null {
  const [first] = joins;
  if (!first) return 'is a member, and never joined.';
  const { double } = first.value;
  if (isConfirmed) return double && confirms.length === 0 ? 'counts, and never confirmed.' : null;
  return !double || confirms.some(({ answer }) => answer?.status === 200) ? 'does not count.' : null;
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
