import { MailRoutes } from '../../operations/destinations/mail-routes';
import { Warmups } from '../../operations/warmup/warmups';
import type { Destinations } from '../../operations/destinations/record-destination-reply';
import type { BounceRules } from '../../domain/bounces/bounce-rules';
import { DestinationRules } from '../../domain/destinations/destination-rules';
import type { Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { RecordStore } from '../../stores/ports/record-store';
import type { Config } from '../../operations/config/config';
import { mailHosts } from './mail-hosts';

export interface DestinationParts {
  records: RecordStore;
  clock: Clock;
  logger: Logger;
  bounceRules: BounceRules;
}

/** What knows the destinations of mail, by the configuration; null when mail is not paced by destination. */
export function openDestinations(
  config: Pick<Config, 'destinations' | 'dns'>,
  parts: DestinationParts,
): Destinations | null {
  if (config.destinations === null) return null;
  const rules = new DestinationRules(config.destinations, parts.bounceRules);
  const lookUp = config.dns && mailHosts(config.dns);
  return { rules, routes: new MailRoutes({ ...parts, rules, lookUp }), warmups: new Warmups(parts) };
}
