import type { Act } from '../acts';
import { MINUTE } from '../rules';
import { isArrival, type Message, type Run } from '../run';

/**
 * True for a click that is certainly stored, and certainly of a person: what comes close to the report of the arrival
 * may count as one of a machine.
 */
export const isPersons = (run: Run, { reports }: Message, click: Act<'click'>): boolean =>
  click.result === 'ok' &&
  (click.answer?.status ?? 500) < 400 &&
  !reports.some(
    ({ value, at, end, result }) =>
      isArrival(value.kind) &&
      result !== 'fail' &&
      at - run.slack.clock < click.end &&
      (result === 'ok' ? end : at + MINUTE) + run.slack.clock > click.at,
  );
