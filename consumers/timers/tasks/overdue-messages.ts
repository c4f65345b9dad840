import { isUnconfirmed, overdue } from '../../../domain/messages/lifecycle';
import type { Stores } from '../../../stores/ports';
import { changeInDoubt } from '../../change-in-doubt';
import { decideWith } from '../../outcome-change';
import type { TimerTask } from '../timer-task';

const PAGE = 200;

export interface OverdueMessagesDeps {
  stores: Pick<Stores, 'deadlines' | 'messages' | 'workspaces'>;
  /** How long a message may wait for evidence, ms. */
  evidenceWait: number;
}

/** Handles messages past their deadline: a hand-off lease that ended, or evidence that never came. */
export function overdueMessages({ stores, evidenceWait }: OverdueMessagesDeps): TimerTask {
  const { deadlines, messages } = stores;
  const settle = async (id: string, now: number): Promise<void> => {
    // Only for these the workspace is asked.
    const rule = decideWith((message) => (isUnconfirmed(message) ? null : overdue(message, now, evidenceWait)));
    const { message } = await messages.change(id, rule);
    if (message && isUnconfirmed(message))
      await changeInDoubt(stores, id, (current, resend) => overdue(current, now, evidenceWait, resend));
  };
  return {
    name: 'overdue messages',
    // Of the attachments too.
    nextAt: () => deadlines.nextDeadline(),
    run: async (now) => {
      const ids = await deadlines.overdue(now, PAGE);
      await Promise.all(ids.map((id) => settle(id, now)));
      return ids.length === PAGE;
    },
  };
}
