import type { AnswerOf, RowOf } from '../../operations/definition';
import type { WEBHOOK } from '../../operations/webhooks/webhook';
import type { Html } from '../kit/html';
import { stateTag, tag } from '../kit/components';
import { filled, type Texts } from '../texts/texts';

export type Webhook = AnswerOf<typeof WEBHOOK.show>;
export type Listed = AnswerOf<typeof WEBHOOK.deliveries>;
export type Delivery = RowOf<typeof WEBHOOK.deliveries>;
export type ShownDelivery = AnswerOf<typeof WEBHOOK.delivery>;

/** The state of a webhook in words and colour. */
export function webhookTag(t: Texts, { is_active: isActive, failures }: Webhook): Html {
  if (!isActive) return tag(t.webhooksInactive, 'bad');
  return failures === 0 ? tag(t.webhooksActive, 'good') : tag(filled(t.webhooksFailing, { n: failures }), 'warn');
}

const DELIVERY = { waiting: 'warn', delivered: 'good', given_up: 'bad', cancelled: '' } as const;

/** The state of a delivery in its colour. */
export const deliveryTag = (t: Texts, state: keyof typeof DELIVERY): Html => stateTag(t, state, DELIVERY[state]);
