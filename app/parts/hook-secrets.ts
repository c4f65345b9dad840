import { webhookSecretContext, type Webhook } from '../../domain/webhook';
import { readUrl } from '../../lib/read-url';
import type { FindSecrets } from '../../sandbox/hooks/receive-request';
import type { Services } from '../services';

/**
 * Finds the secrets for a hook of the sandbox: of the webhook whose delivery came. A request that is no delivery of ours
 * is held against every webhook with this URL.
 */
export function hookSecrets({ engine: { stores }, keyring }: Pick<Services, 'engine' | 'keyring'>): FindSecrets {
  const withSecret = (webhook: Webhook): { id: number; secret: string } => ({
    id: webhook.id,
    secret: keyring.open(webhook.secretSealed, webhookSecretContext(webhook)),
  });
  return async ({ webhookId, host, url }) => {
    const isHere = (webhook: Webhook): boolean => {
      const own = readUrl(webhook.url);
      return own?.host === host && `${own.pathname}${own.search}` === url;
    };
    const [delivery] = webhookId === null ? [] : await stores.deliveries.getMany([webhookId]);
    const sender = delivery ? await stores.webhooks.get(delivery.webhookId) : null;
    if (sender && isHere(sender)) return [withSecret(sender)];
    const workspaces = await stores.workspaces.list();
    const all = await Promise.all(workspaces.map(({ id }) => stores.webhooks.list(id)));
    return all.flat().filter(isHere).map(withSecret);
  };
}
