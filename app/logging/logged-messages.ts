import type { Logger } from '../../lib/logger';
import type { Wraps } from '../../lib/wrap-methods';
import type { Engine } from '../../stores/ports/engine';
import type { Message } from '../../domain/messages/message';
import type { Decide, MessageChange, MessageStore } from '../../stores/ports/message-store';
import type { SendQueue } from '../../stores/ports/send-queue';
import { wrapEngine } from '../../stores/wrappers/wrap-engine';

/**
 * The same engine; every step of a message is a debug line under its id once the store has it. Without addresses: a
 * reason may hold a server's words, so only the status is named.
 */
export const loggedMessages = (engine: Engine, logger: Pick<Logger, 'debug'>): Engine =>
  wrapEngine(engine, { messages: loggedStore(logger), queue: loggedQueue(logger) });

const loggedStore = (logger: Pick<Logger, 'debug'>): Wraps<MessageStore> => ({
  accept: (accept) => async (acceptances) => {
    const outcomes = await accept(acceptances);
    for (const [n, outcome] of outcomes.entries()) {
      const { id, workspaceId, channel } = acceptances[n]!.facts;
      if (outcome.kind === 'accepted') logger.debug({ messageId: id, workspaceId, channel }, 'message queued');
    }
    return outcomes;
  },
  change: (apply) => async (id, decide, known) => {
    const steps: object[] = [];
    const noted: Decide = (message) => {
      const change = decide(message);
      // The last decision is the one that was written.
      if (change) steps.splice(0, 1, stepOf(message, change));
      return change;
    };
    const changed = await apply(id, noted, known);
    if (changed.applied) logger.debug({ messageId: id, ...steps[0] }, 'message changed');
    return changed;
  },
});

const stepOf = ({ attempt, status: from }: Message, { set: { status, fence, unknown } }: MessageChange): object => ({
  attempt,
  ...(status !== undefined && { from, status }),
  ...(typeof fence === 'string' && { fenced: true }),
  ...(unknown === true && { unknown }),
});

const loggedQueue = (logger: Pick<Logger, 'debug'>): Wraps<SendQueue> => ({
  claim: (claim) => async (request) => {
    const result = await claim(request);
    if (result.kind === 'fenced') return result;
    const { workspaceId, lane } = request;
    for (const messageId of result.claimed) logger.debug({ messageId, workspaceId, lane }, 'message claimed');
    if (result.refused > 0)
      logger.debug({ workspaceId, lane, refused: result.refused }, 'messages refused at their turn');
    return result;
  },
});
