import type { Html } from '../kit/html';
import { stateTag, tag } from '../kit/parts';
import { filled, type Texts } from '../texts/texts';

/** A webhook as the operations answer it. */
export interface Webhook {
  id: number;
  url: string;
  event_types: readonly string[];
  is_active: boolean;
  failures: number;
  created_at: string;
  enabled_at: string;
  last_success_at: string | null;
}

/** A delivery of `webhook.deliveries`. */
export interface Delivery {
  id: string;
  event: string;
  message_id: string;
  state: string;
  created_at: string;
  attempts: readonly {
    at: string;
    status: number | null;
    error: string | null;
    duration_ms: number | null;
    answer: string | null;
  }[];
}

/** What `webhook.delivery` answers. */
export interface ShownDelivery extends Delivery {
  payload: object;
}

/** What `webhook.deliveries` answers. */
export interface Listed {
  data: readonly Delivery[];
  total: number;
  page: number;
  limit: number;
}

/** The state of a webhook in words and colour. */
export function webhookTag(t: Texts, { is_active: isActive, failures }: Webhook): Html {
  if (!isActive) return tag(t.webhooksInactive, 'bad');
  return failures === 0 ? tag(t.webhooksActive, 'good') : tag(filled(t.webhooksFailing, { n: failures }), 'warn');
}

const DELIVERY = { waiting: 'warn', delivered: 'good', given_up: 'bad' } as const;

/** The state of a delivery in its colour. */
export const deliveryTag = (t: Texts, state: string): Html =>
  stateTag(t, state, DELIVERY[state as keyof typeof DELIVERY]);
