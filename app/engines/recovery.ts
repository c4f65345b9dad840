import { changeInDoubt } from '../../consumers/change-in-doubt';
import { redispatch } from '../../consumers/timers/redispatch';
import { becameUnknown, type Outcome } from '../../domain/messages/lifecycle';
import type { Message } from '../../domain/messages/message';
import type { Part } from '../core/part';
import type { Services } from '../shared-services';

const PAGE = 500;
const ENDED = 'The process ended during the hand-off.';

export interface RecoveryDeps extends Pick<Services, 'engine' | 'clock'> {
  config: Pick<Services['config'], 'evidenceWait' | 'postfixLog'>;
  logger: Pick<Services['logger'], 'warn'>;
}

/**
 * Settles hand-offs that an earlier run of this process left. No other process works on the data dir, so those past the
 * fence are over, and only evidence can show how they ended (docs/architecture.md#the-fence-and-evidence). Those before
 * the fence are handed to dispatch again, in case their records are lost: otherwise they would occupy the backlog until
 * their leases expire.
 */
export function recoveryPart({ engine, clock, config, logger }: RecoveryDeps): Part {
  const { deadlines } = engine.stores;
  const options = { evidenceWait: config.evidenceWait, mayComeBack: config.postfixLog !== null };
  const pastFence = (): Promise<string[]> => deadlines.pastFence(PAGE);
  return {
    name: 'recovery',
    start: async () => {
      for (let ids = await pastFence(); ids.length > 0; ids = await pastFence()) {
        logger.warn({ messages: ids.length }, 'hand-offs were interrupted after the fence; waiting for evidence');
        const rule = (message: Message, resend: boolean): Outcome | null =>
          becameUnknown(message, ENDED, clock.now(), { ...options, resend });
        await Promise.all(ids.map((id) => changeInDoubt(engine.stores, id, rule)));
      }
      await redispatch({ stores: engine.stores, log: engine.log }, Number.MAX_SAFE_INTEGER);
    },
    stop: async () => undefined,
  };
}
