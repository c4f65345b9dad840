import { findingsOf, type Finding } from '../finding';
import { DAY, FREE_PER_DAY, FREE_PER_MINUTE, MINUTE, WIB_OFFSET } from '../rules';
import type { Attempt, Run, Workspace } from '../run';

/** Stretches that are looked at, in minutes: a rate that is a little too high shows in a long one only. */
const STRETCHES = [1, 2, 5, 30];

/**
 * The send rate. An outsider sees hand-offs, a little after their claims: hand-offs within a minute less that time were
 * claimed within a minute. A fault may hold back claimed mail, which then goes out beside new claims, so each fault
 * allows the claims of one more minute.
 */
export function judgePace(run: Run, workspace: Workspace): Finding[] {
  const bought = Math.min(...workspace.topUps.filter(({ result }) => result !== 'fail').map(({ at }) => at));
  const attempts = workspace.messages.flatMap((message) => message.attempts).sort((a, b) => a.at - b.at);
  const isFree = workspace.accounts.some(({ value }) => value.isFree);
  const free = isFree ? attempts.filter(({ at }) => at < bought) : [];
  const premium = isFree ? attempts.filter(({ at }) => at >= bought) : attempts;
  return [
    ...judgeMinutes(run, workspace, free, FREE_PER_MINUTE),
    ...judgeMinutes(run, workspace, premium, run.slack.premium),
    ...judgeDays(run, workspace, free),
  ];
}

function judgeMinutes(run: Run, { id }: Workspace, attempts: readonly Attempt[], rate: number): Finding[] {
  const { list, add } = findingsOf(`workspace ${id}`);
  for (const minutes of STRETCHES) {
    const length = minutes * MINUTE - run.slack.handOff;
    const limit = minutes * rate;
    let first = 0;
    for (let last = limit; last < attempts.length; last += 1) {
      const at = attempts[last]?.at ?? 0;
      while (first < last && (attempts[first]?.at ?? 0) <= at - length) first += 1;
      const count = last - first + 1;
      if (count <= limit) continue;
      const begin = attempts[first]?.at ?? 0;
      if (count <= limit + rate * run.faultTimes.count(begin - run.slack.lease, at)) continue;
      add('rate', `${count} hand-offs in ${at - begin} ms, where ${limit} may be.`, attempts.slice(first, last + 1));
      break;
    }
  }
  return list;
}

/** Hand-offs of one day, without those at its beginning whose claims may be of the day before. */
function judgeDays(run: Run, { id }: Workspace, attempts: readonly Attempt[]): Finding[] {
  const { list, add } = findingsOf(`workspace ${id}`);
  const days = new Map<number, Attempt[]>();
  for (const attempt of attempts) {
    const time = attempt.at + WIB_OFFSET;
    const day = Math.floor(time / DAY);
    const midnight = day * DAY;
    const held = run.faultTimes.any(midnight - WIB_OFFSET - run.slack.lease, attempt.at) ? run.slack.lease : 0;
    if (time - midnight < run.slack.handOff + held) continue;
    const known = days.get(day);
    if (known) known.push(attempt);
    else days.set(day, [attempt]);
  }
  for (const found of days.values()) {
    if (found.length > FREE_PER_DAY) add('day', `${found.length} hand-offs in a day of a free account.`, found);
  }
  return list;
}
