import type { RouterContext } from '@koa/router';
import { clientMark } from '../../domain/engagement/client-mark';
import type { Keyring } from '../../domain/keyring';
import type { KnownClients } from '../../domain/engagement/known-clients';
import type { HitFacts, HitKind } from '../../domain/engagement/machine';
import { clientAddress, clientNetwork } from '../../lib/client-network';
import { isLoad } from './is-load';

export interface FactsDeps {
  keyring: Keyring;
  knownClients: KnownClients;
  /** Reverse proxies in front whose X-Forwarded-For is trusted. */
  trustedHops: number;
}

/** What is recorded of the request for a link of a message, instead of its address and user agent. */
export type ReadFacts = (ctx: RouterContext, hit: { messageId: string; kind: HitKind }) => HitFacts;

/** Reads the facts of requests for public pages (docs/machine-signals.md#privacy). */
export function factsReader({ keyring, knownClients, trustedHops }: FactsDeps): ReadFacts {
  return ({ req, method }, { messageId, kind }) => {
    const address = clientAddress(req, trustedHops);
    const known = knownClients.agentOf(req.headers['user-agent'] ?? '');
    const agent = known !== 'scanner' && isLoad(req.headers, kind) ? 'prefetch' : known;
    const network = knownClients.networkOf(address);
    const isShared = known === 'proxy' || network === 'proxy' || address === '';
    return {
      method: method === 'HEAD' || method === 'POST' ? method : 'GET',
      agent,
      network,
      // Many people are behind a shared proxy.
      client: isShared ? null : clientMark(keyring, messageId, clientNetwork(address)),
    };
  };
}
