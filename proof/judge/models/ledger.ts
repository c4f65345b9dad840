import type { Act } from '../acts';
import { findingsOf, type Finding } from '../finding';
import type { Acts } from '../history';
import { PENALTY } from '../rules';
import type { Message, Workspace } from '../run';
import { topUpsOf } from './balance-bounds';
import { fullAddresses, messagePenalty } from './penalties';

type Row = Acts['final'][1]['ledger'][number];
type Add = ReturnType<typeof findingsOf>['add'];

const AMOUNTS: Readonly<Record<string, number>> = { debit: -1, refund: 1, penalty: -PENALTY };

/** What a message costs by its final state. */
const COSTS: Readonly<Record<string, number>> = { delivered: 1, bounced: 1, failed: 0 };

/** The ledger, row by row. */
export function judgeLedger(workspace: Workspace, read: Act<'final'>): Finding[] {
  if (!read.answer) return [];
  const { coins, ledger } = read.answer;
  const { list, add } = findingsOf(`workspace ${workspace.id}`);
  const [seen, ofMessage] = [new Set<string>(), new Map<string, Row[]>()];
  let sum = 0;
  for (const row of ledger) {
    if (seen.has(row.id)) add('ledger', `The row ${row.id} stands twice.`, [read]);
    seen.add(row.id);
    if ((AMOUNTS[row.kind] ?? row.amount) !== row.amount)
      add('ledger', `The row ${row.id} is of ${row.amount} coins.`, [read]);
    sum += row.amount;
    // A mail that was proved to have arrived after its refund is paid then, whatever the balance.
    if (row.kind === 'debit' && sum < 0 && !row.id.endsWith(':late')) {
      add('negative', `The row ${row.id} took a coin that was not there.`, [read]);
    }
    if (row.message === null) {
      if (row.kind === 'debit' || row.kind === 'refund') add('ledger', `The row ${row.id} is of no message.`, [read]);
    } else {
      const rows = ofMessage.get(row.message);
      if (rows) rows.push(row);
      else ofMessage.set(row.message, [row]);
    }
  }
  if (sum !== coins) add('ledger', `The rows add up to ${sum}, and the balance is ${coins}.`, [read]);
  judgeIncome(workspace, ledger, read, add);
  return [...list, ...judgeRows(workspace, ofMessage, read)];
}

/** Top-ups once each, and what was there before the run. */
function judgeIncome(workspace: Workspace, ledger: readonly Row[], read: Act<'final'>, add: Add): void {
  const topUps = topUpsOf(workspace);
  const booked = new Map<string, Row>();
  let opening = 0;
  for (const row of ledger) {
    if (row.kind !== 'topup' && row.kind !== 'grant') continue;
    const reference = row.kind === 'topup' ? row.id.slice('topup:'.length) : '';
    if (topUps.has(reference)) booked.set(reference, row);
    else opening += row.amount;
  }
  const granted = workspace.accounts.reduce((all, { value }) => all + value.coins, 0);
  if (opening !== granted)
    add('ledger', `${opening} coins were there or came from nowhere, not ${granted}.`, [...workspace.accounts, read]);
  for (const [reference, acts] of topUps) {
    const row = booked.get(reference);
    const coins = acts[0]?.value.coins;
    if (row && row.amount !== coins)
      add('ledger', `The top-up ${reference} is of ${row.amount} coins.`, [...acts, read]);
    if (!row && acts.some(({ result }) => result === 'ok'))
      add('ledger', `The top-up ${reference} is missing.`, [...acts, read]);
    if (row && acts.every(({ result }) => result === 'fail'))
      add('ledger', `The top-up ${reference} was refused and booked.`, [...acts, read]);
  }
}

/** Each message: every refund after its debit, ending as the state says, and a penalty at most once. */
function judgeRows(workspace: Workspace, ofMessage: ReadonlyMap<string, Row[]>, read: Act<'final'>): Finding[] {
  const full = fullAddresses(workspace);
  const findings: Finding[] = [];
  const own = new Set<string>();
  for (const message of workspace.messages) {
    own.add(message.id);
    if (!message.final) continue;
    const wrong = wrongRows(message, ofMessage.get(message.id) ?? [], full);
    if (!wrong) continue;
    const { list, add } = findingsOf(`message ${message.id}`);
    add('cost', wrong, [...message.sends, ...message.attempts, ...message.reports, read]);
    findings.push(...list);
  }
  for (const id of ofMessage.keys()) {
    if (own.has(id)) continue;
    const { list, add } = findingsOf(`message ${id}`);
    add('ledger', `The ledger of workspace ${workspace.id} names a message that is not there.`, [read]);
    findings.push(...list);
  }
  return findings;
}

function wrongRows(message: Message, rows: readonly Row[], full: ReadonlySet<string>): string | null {
  const { cost, penalty, wrong } = sumOf(rows);
  if (wrong) return wrong;
  const owed = COSTS[message.final?.state ?? ''] ?? cost;
  if (cost !== owed) return `It is ${message.final?.state} and cost ${cost}, not ${owed}.`;
  const { least, most } = messagePenalty(message, full);
  if (penalty < least || penalty > most)
    return `The penalty is ${penalty}, not ${least === most ? least : `${least} or ${most}`}.`;
  return null;
}

/** What the rows of a message took in all, or the first that cannot be. */
function sumOf(rows: readonly Row[]): { cost: number; penalty: number; wrong?: string } {
  let cost = 0;
  let penalty = 0;
  const debits = new Set<string>();
  for (const { kind, amount, id } of rows) {
    if (kind === 'penalty') penalty -= amount;
    else if (kind !== 'debit' && kind !== 'refund') return { cost, penalty, wrong: `a row ${id} of kind ${kind}.` };
    else cost -= amount;
    // A refund is booked on its way through the log, so the next debit may come before it.
    if (kind === 'debit') debits.add(id.slice('debit'.length));
    if (kind === 'refund' && !debits.has(id.slice('refund'.length)))
      return { cost, penalty, wrong: `${id}: there is no debit before it.` };
  }
  return { cost, penalty };
}
