import type { RouterContext } from '@koa/router';
import { clientMark } from '../../domain/engagement/client-mark';
import type { Keyring } from '../../domain/keyring';
import type { KnownClients } from '../../domain/engagement/known-clients';
import type { HitFacts } from '../../domain/engagement/machine';
import { clientAddress, clientNetwork } from '../../lib/client-network';

export interface FactsDeps {
  keyring: Keyring;
  knownClients: KnownClients;
  /** Reverse proxies in front whose X-Forwarded-For is trusted. */
  trustedHops: number;
}

/** What is recorded of the request for a link of a message, instead of its address and user agent. */
export type ReadFacts = (ctx: RouterContext, messageId: string) => HitFacts;

/** Reads the facts of requests for public pages (docs/machine-signals.md#privacy). */
export function factsReader({ keyring, knownClients, trustedHops }: FactsDeps): ReadFacts {
  return ({ req, method }, messageId) => {
    const address = clientAddress(req, trustedHops);
    const agent = knownClients.agentOf(req.headers['user-agent'] ?? '');
    const network = knownClients.networkOf(address);
    const isShared = agent === 'proxy' || network === 'proxy' || address === '';
    return {
      method: method === 'HEAD' || method === 'POST' ? method : 'GET',
      agent,
      network,
      // Many people are behind a shared proxy.
      client: isShared ? null : clientMark(keyring, messageId, clientNetwork(address)),
    };
  };
}
