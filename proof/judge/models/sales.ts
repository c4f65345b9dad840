import type { Act } from '../acts';
import { findingsOf, type Finding } from '../finding';
import { DAY } from '../rules';
import type { Run, Workspace } from '../run';
import { isPersons } from './people';

/** How long before a sale the click may be that led to it. */
const WINDOW = 7 * DAY;

/** Each order is a sale once, of its amount, and linked to a mail that was clicked before it. */
export function judgeSales(run: Run, workspace: Workspace): Finding[] {
  const [read] = workspace.more.export;
  if (!read?.answer) return [];
  const { list, add } = findingsOf(`workspace ${workspace.id}`);
  const orders = new Map<string, Act<'sale'>[]>();
  for (const act of workspace.more.sale) {
    const { order } = act.value;
    orders.set(order, [...(orders.get(order) ?? []), act]);
  }
  const linked = new Map<string, { amount: number; message: string }>();
  for (const { order, ...sale } of read.answer.sales) {
    if (linked.has(order)) add('sale', `The order ${order} is there twice.`, [...(orders.get(order) ?? []), read]);
    linked.set(order, sale);
    if (!orders.has(order)) add('sale', `Nobody reported the order ${order}.`, [read]);
  }
  for (const [order, acts] of orders) {
    const wrong = wrongAnswers(acts) ?? wrongLink(run, workspace, acts, linked.get(order));
    if (wrong) add('sale', `The order ${order}: ${wrong}`, [...acts, read]);
  }
  return list;
}

function wrongAnswers(acts: readonly Act<'sale'>[]): string | null {
  const first = acts.filter(({ answer }) => answer && !answer.duplicate);
  if (first.length > 1) return `it was taken as new ${first.length} times.`;
  const again = acts.find(({ answer }) => answer?.duplicate);
  const earlier = acts.filter((act) => act !== again && act.result !== 'fail' && act.at <= (again?.end ?? 0));
  return again && earlier.length === 0 ? 'it was a repeat of nothing.' : null;
}

function wrongLink(
  run: Run,
  workspace: Workspace,
  acts: readonly Act<'sale'>[],
  sale: { amount: number; message: string } | undefined,
): string | null {
  const [first] = acts;
  const message = workspace.messages.find(({ id }) => id === first?.value.message);
  if (!first || !message) return null;
  const clicks = message.clicks.filter(({ result }) => result !== 'fail');
  if (!sale) {
    const isSure = clicks.some(
      (click) =>
        isPersons(run, message, click) && click.end + run.slack.clock < first.at && click.at > last(acts) - WINDOW,
    );
    // By a clock that was set back, the sale came before the click.
    const isTold = !run.faults.some(({ value }) => value.kind === 'clock');
    return isSure && isTold && acts.some(({ answer }) => answer) ? 'a click led to it, and it is not there.' : null;
  }
  if (sale.message !== message.id) return `it is linked to ${sale.message}.`;
  if (sale.amount !== first.value.amount) return `it is of ${sale.amount}.`;
  const latest = Math.max(...acts.map(({ end }) => end));
  return clicks.some(({ at }) => at <= latest) ? null : 'no click led to it.';
}

/** When it may have happened at the latest, as far as that was answered. */
const last = (acts: readonly Act<'sale'>[]): number =>
  Math.max(...acts.map(({ at, end }) => (end < Infinity ? end : at)));
