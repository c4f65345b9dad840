import { attachmentsExpired } from '../../../domain/messages/lifecycle';
import type { Stores } from '../../../stores/ports';
import { decideWith } from '../../outcome-change';
import type { TimerTask } from '../timer-task';

const PAGE = 200;

/** Handles queued messages whose attachments must no longer be kept. */
export function expiredAttachments(stores: Pick<Stores, 'deadlines' | 'messages'>): TimerTask {
  const { deadlines, messages } = stores;
  return {
    name: 'expired attachments',
    run: async (now) => {
      const ids = await deadlines.attachmentsExpired(now, PAGE);
      const rule = decideWith((message) => attachmentsExpired(message, now));
      await Promise.all(ids.map((id) => messages.change(id, rule)));
      return ids.length === PAGE;
    },
  };
}
