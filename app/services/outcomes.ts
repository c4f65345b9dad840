import { expectTaken } from '../../consumers/postfix-log/expect-taken';
import type { PostfixLog } from '../../consumers/postfix-log';
import { destinationReplies } from '../../operations/destinations/record-destination-reply';
import type { OutcomeSubscriber } from '../../operations/messages/mail-outcome';
import { OutcomePublisher } from '../../operations/messages/publish-outcome';
import { WarmupOutcomes } from '../../operations/warmup/record-outcome';
import type { Services } from '../shared-services';

/**
 * Who hears what became of messages in this process, whichever part finds out. Destinations and warm-ups do with pacing
 * by destination, the log of the sending server where it is followed.
 */
export function openOutcomes(services: Services, postfixLog: PostfixLog | null): OutcomePublisher {
  const { destinations, engine, clock, logger, bounceRules, config } = services;
  const { records } = engine.stores;
  const firstServer = config.mtaServers[0]?.name ?? null;
  const subscribers: OutcomeSubscriber[] = [];
  if (destinations) subscribers.push(destinationReplies({ ...destinations, records, clock, logger }));
  if (postfixLog && firstServer !== null) subscribers.push(expectTaken(postfixLog, firstServer));
  if (destinations) subscribers.push(new WarmupOutcomes({ ...destinations, records, clock, firstServer, bounceRules }));
  return new OutcomePublisher(subscribers, logger);
}
