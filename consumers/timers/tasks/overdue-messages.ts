import { overdue } from '../../../domain/messages/lifecycle';
import type { Stores } from '../../../stores/ports';
import { decideWith } from '../../outcome-change';
import type { TimerTask } from '../timer-task';

const PAGE = 200;

export interface OverdueMessagesDeps {
  stores: Pick<Stores, 'deadlines' | 'messages'>;
  /** How long a message may wait for evidence, ms. */
  evidenceWait: number;
}

/** Handles messages past their deadline: a hand-off lease that ended, or evidence that never came. */
export function overdueMessages({ stores: { deadlines, messages }, evidenceWait }: OverdueMessagesDeps): TimerTask {
  return {
    name: 'overdue messages',
    // Of the attachments too.
    nextAt: () => deadlines.nextDeadline(),
    run: async (now) => {
      const ids = await deadlines.overdue(now, PAGE);
      const rule = decideWith((message) => overdue(message, now, evidenceWait));
      await Promise.all(ids.map((id) => messages.change(id, rule)));
      return ids.length === PAGE;
    },
  };
}
