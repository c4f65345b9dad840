import type { OutcomeSubscriber } from '../../operations/messages/mail-outcome';
import type { PostfixLog } from '.';

/**
 * Tells the follower of the log of `server` what this server took, since its log must name it. At once, however long
 * the store takes: the line of a mail may come before its 250.
 */
export const expectTaken = (log: Pick<PostfixLog, 'taken'>, server: string): OutcomeSubscriber => ({
  name: 'log of the sending server',
  beforeStored: (outcome) => {
    if (outcome.from === 'hand-off' && outcome.ended.kind === 'sent' && (outcome.ended.server ?? server) === server)
      log.taken(outcome.message.id);
    return null;
  },
});
