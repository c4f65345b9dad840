import { createWebhookTargets, type WebhookTargets } from '../../commands/webhooks/client/targets';
import type { Services } from '../services';
import { hostResolver, lookUpLocally } from './resolve-host';

/**
 * What webhooks may reach (docs/webhooks.md#private-hosts). With the sandbox these include the hooks of the sandbox.
 * `lookups`: names looked up at a time, so that those that DNS does not answer hold up no others.
 */
export function webhookTargets({ config, publicUrl }: Services, { lookups }: { lookups: number }): WebhookTargets {
  const hasSandbox = config.roles.includes('sandbox');
  return createWebhookTargets({
    privateHosts: config.webhookPrivateHosts,
    ownHooks: () => (hasSandbox ? `${publicUrl()}/sandbox/hooks/` : null),
    resolveHost: hostResolver({ lookups }),
    resolveLocally: lookUpLocally,
  });
}
