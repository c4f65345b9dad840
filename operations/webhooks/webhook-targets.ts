import { createWebhookTargets, type WebhookTargets } from './targets';
import type { Services } from '../services';
import { readUrl } from '../../lib/read-url';
import { hostResolver, lookUpLocally } from './resolve-host';

/**
 * What webhooks may reach (docs/webhooks.md#private-hosts). With the sandbox these include the hooks of the sandbox.
 * `lookups`: names looked up at a time, so that those that DNS does not answer hold up no others.
 */
export function webhookTargets(
  { config, publicUrl }: Pick<Services, 'config'> & { publicUrl: () => string | null },
  { lookups }: { lookups: number },
): WebhookTargets {
  const hasSandbox = config.roles.includes('sandbox');
  return createWebhookTargets({
    privateHosts: config.webhookPrivateHosts,
    ownHooks: () => {
      const url = hasSandbox ? publicUrl() : null;
      return url === null ? null : `${url}/sandbox/hooks/`;
    },
    resolveHost: hostResolver({ lookups }),
    resolveLocally: lookUpLocally,
  });
}

/** The operator's own URL for alarms, which may be private; nothing else. */
export function alarmTarget({ alarms }: Pick<Services['config'], 'alarms'>): WebhookTargets {
  const host = readUrl(alarms.post?.url ?? '')?.hostname.replace(/^\[|\]$/g, '');
  return createWebhookTargets({
    privateHosts: host === undefined ? [] : [host],
    ownHooks: () => null,
    resolveHost: hostResolver(),
    resolveLocally: lookUpLocally,
  });
}
