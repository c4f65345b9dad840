import { journeySecretContext } from '../../domain/journeys/journey';
import { webhookSecretContext, type Webhook } from '../../domain/webhooks/webhook';
import { readUrl } from '../../lib/read-url';
import type { FindSecrets } from '../../sandbox/hooks/receive-request';
import type { HookSecret } from '../../sandbox/hooks/verify-request';
import type { Services } from '../shared-services';

/**
 * Finds the secrets for a hook of the sandbox: of the webhook whose delivery came, or of the journey whose webhook step
 * posted. A request that is neither is held against every webhook with this URL.
 */
export function hookSecrets({ engine: { stores }, keyring }: Pick<Services, 'engine' | 'keyring'>): FindSecrets {
  const withSecret = (webhook: Webhook): { id: number; secret: string } => ({
    id: webhook.id,
    secret: keyring.open(webhook.secretSealed, webhookSecretContext(webhook)),
  });
  const ofJourney = async (postId: string, isHere: (at: { url: string }) => boolean): Promise<HookSecret[]> => {
    const opened = await stores.journeyPosts.open(postId);
    if (!opened || !isHere(opened)) return [];
    const { journey, post } = opened;
    const secret = keyring.open(journey.secretSealed, journeySecretContext(post.workspaceId));
    return [{ id: `journey ${journey.id}`, secret }];
  };
  return async ({ webhookId, host, url }) => {
    const isHere = (at: { url: string }): boolean => {
      const own = readUrl(at.url);
      return own?.host === host && `${own.pathname}${own.search}` === url;
    };
    const [delivery] = webhookId === null ? [] : await stores.deliveries.getMany([webhookId]);
    const sender = delivery ? await stores.webhooks.get(delivery.webhookId) : null;
    if (sender && isHere(sender)) return [withSecret(sender)];
    const posted = webhookId === null ? [] : await ofJourney(webhookId, isHere);
    if (posted.length > 0) return posted;
    const workspaces = await stores.workspaces.list();
    const all = await Promise.all(workspaces.map(({ id }) => stores.webhooks.list(id)));
    return all.flat().filter(isHere).map(withSecret);
  };
}
