import { FORM_BOUNCES } from '../../../domain/contacts/form-auto-pause';
import type { Message } from '../../../domain/messages/message';
import type { Logger } from '../../../lib/logger';
import type { Stores } from '../../../stores/ports';

/**
 * Counts hard bounces of confirmation mails, which pause the mails of their form (docs/forms.md#the-brake-of-a-form). A
 * repeat changes nothing.
 */
export const autoPauseForm =
  (stores: Pick<Stores, 'optIns'>, logger: Pick<Logger, 'warn'>): ((message: Message) => Promise<void>) =>
  async ({ id: messageId, workspaceId, contactId, channel, campaignId, journeyId, hardBouncedAt: at }) => {
    if (at === null || channel !== 'app' || campaignId !== null || journeyId !== null) return;
    const paused = await stores.optIns.noteBounce({ workspaceId, contactId, messageId, at });
    if (!paused) return;
    const what = `${FORM_BOUNCES} confirmation emails of a sign-up form bounced in a day: it is paused until you resume it`;
    logger.warn({ workspaceId, audience: paused.id }, what);
  };
