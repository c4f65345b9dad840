import { describe, expect, it } from '@jest/globals';
import { openOutcomes } from '../../../app/services/outcomes';
import type { Services } from '../../../app/shared-services';
import type { PostfixLog } from '../../../consumers/postfix-log';
import { builtInRules } from '../../../domain/bounces/bounce-rules';
import { silentLogger } from '../../../lib/logger';
import type { EndedHandOff, MailOutcome } from '../../../operations/messages/mail-outcome';
import { frozenClock } from '../../support/clock';
import { aMessage } from '../../support/message';
import { refusedHandOff } from '../../support/outcomes';

/** The publisher of a process that paces by destination and follows the log of the server `main`. */
function opened() {
  const steps: string[] = [];
  const taken: string[] = [];
  const warmups = { refresh: async () => void steps.push('warm-up'), of: () => null };
  const routes = {
    found: async (domain: string) => {
      steps.push('destinations');
      return domain;
    },
  };
  const services = {
    destinations: { warmups, routes, rules: { replyRule: () => null } },
    engine: { stores: { records: {} } },
    config: { mtaServers: [{ name: 'main' }, { name: 'new' }] },
    clock: frozenClock(),
    logger: silentLogger,
    bounceRules: builtInRules,
  } as unknown as Services;
  const log = { taken: (messageId: string) => void taken.push(messageId) } as PostfixLog;
  return { outcomes: openOutcomes(services, log), steps, taken };
}
const handOff = (ended: EndedHandOff): MailOutcome => ({ ...refusedHandOff(aMessage({ id: 'm-1' }), ''), ended });

describe('the subscribers of a process', () => {
  it('cost a message that was taken no promise; the log of the first server must name it', () => {
    const { outcomes, steps, taken } = opened();
    for (const server of [undefined, 'main', 'new']) {
      const sent = handOff({ kind: 'sent', reply: '250 ok', ...(server !== undefined && { server }) });
      expect(outcomes.beforeStored(sent)).toEqual([]);
      expect(outcomes.stored(sent)).toBeUndefined();
    }
    expect(taken).toEqual(['m-1', 'm-1']);
    expect(steps).toEqual([]);
  });

  it('hear of a refusal: its destination before it is stored, the warm-up after it', async () => {
    const { outcomes, steps, taken } = opened();
    const refused = handOff({ kind: 'refused', permanent: false, reply: '450 4.2.0 later' });
    await outcomes.beforeStored(refused);
    expect(steps).toEqual(['destinations']);
    await outcomes.stored(refused);
    expect(steps).toEqual(['destinations', 'warm-up']);
    expect(taken).toEqual([]);
  });

  it('are none without pacing by destination and without a log', () => {
    const services = { destinations: null, engine: { stores: {} }, config: { mtaServers: [] } } as unknown as Services;
    const refused = handOff({ kind: 'refused', permanent: false, reply: '450 4.2.0 later' });
    expect(openOutcomes(services, null).beforeStored(refused)).toEqual([]);
  });
});
