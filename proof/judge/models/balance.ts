import { findingsOf, type Finding } from '../finding';
import type { Acts } from '../history';
import type { Run, Workspace } from '../run';
import { balanceBetween, topUpsOf } from './balance-bounds';
import { judgeLedger } from './ledger';
import { forcedPenalties, fullAddresses, messagePenalty } from './penalties';

type Final = Acts['final'][1];

/** Coins: what came less what every message cost, at the end and at each read. */
export function judgeBalance(run: Run, workspace: Workspace): Finding[] {
  const { list, add } = findingsOf(`workspace ${workspace.id}`);
  for (const act of workspace.balances) {
    if (!act.answer) continue;
    const { least, most } = balanceBetween(run, workspace, act.at, act.end);
    const { coins } = act.answer;
    if (coins < least || coins > most) {
      add('read', `A read of ${coins} coins, where ${least} to ${most} are possible.`, [...workspace.accounts, act]);
    }
  }
  const read = workspace.finals.find(({ answer }) => answer);
  if (!read?.answer) return list;
  const { least, most } = coinsInTheEnd(run, workspace, read.answer);
  if (read.answer.coins < least || read.answer.coins > most) {
    const wanted = least === most ? `${least}` : `${least} to ${most}`;
    add('balance', `${read.answer.coins} coins in the end, not ${wanted}.`, [
      ...workspace.accounts,
      ...workspace.topUps,
      read,
    ]);
  }
  return [...list, ...judgeLedger(workspace, read)];
}

/** Granted and topped up, less 1 for what was delivered or bounced, less penalties. */
function coinsInTheEnd({ slack }: Run, workspace: Workspace, { messages }: Final): { least: number; most: number } {
  const opening = workspace.accounts.reduce((sum, { value }) => sum + value.coins, 0);
  const forced = forcedPenalties(workspace, slack.clock + slack.claimed);
  const bounds = { least: opening - forced.most, most: opening - forced.least };
  for (const group of topUpsOf(workspace).values()) {
    const coins = group[0]?.value.coins ?? 0;
    if (group.some(({ result }) => result === 'ok')) bounds.least += coins;
    if (group.some(({ result }) => result !== 'fail')) bounds.most += coins;
  }
  for (const { state } of messages) {
    // One that has no end, which is a finding of its own, may be paid or not.
    if (state !== 'failed') bounds.least -= 1;
    if (state === 'delivered' || state === 'bounced') bounds.most -= 1;
  }
  const full = fullAddresses(workspace);
  for (const message of workspace.messages) {
    const penalty = messagePenalty(message, full);
    bounds.least -= penalty.most;
    bounds.most -= penalty.least;
  }
  return bounds;
}
