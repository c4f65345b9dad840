import { validationMessage } from '../../../schemas/rules/validation-messages';
import { replayRules, replayShape } from '../../../schemas/webhooks/webhook-requests';
import { replay } from '../../../operations/webhooks/redeliver';
import { invalidFields } from '../../errors';
import { route } from '../../route';
import { activeWebhook } from './own-webhook';

/** POST /webhooks/{id}/replay: queues the events of a time once more, with the same payload and id. */
export const replayEvents = route({
  method: 'POST',
  path: '/webhooks/:id/replay',
  scope: 'manage_webhooks',
  emailModule: 'required',
  body: { shape: replayShape, rules: replayRules },
  async handle(deps, call) {
    const webhook = await activeWebhook(deps, call);
    const now = deps.clock.now();
    const { from, to = now, events: names = webhook.eventTypes } = await call.fields();
    if (from > to) throw invalidFields({ from: [validationMessage('timestamp.order', 'from')] });
    return { status: 202, body: await replay(deps.stores, webhook, { from, to, names }, deps.newId(), now) };
  },
});
