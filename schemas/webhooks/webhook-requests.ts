import Joi, { type CustomHelpers } from 'joi';
import type { MessageEventName } from '../../domain/engagement/signal';
import type { DeliveryEventName, DeliveryState } from '../../domain/webhooks/webhook-delivery';
import { deliveryEvent, deliveryState } from '../rules/enums';
import { inJsonSchema } from '../rules/json-schema';
import { eventTypes } from './new-webhook';
import type { Shape } from '../rules/normalize';
import { pageNumber, pageShape } from '../rules/page';
import { timestamp } from '../rules/timestamp-rules';
import { wholeNumber } from '../rules/whole-number';

export const deliveryListShape = { state: 'text', event: 'text', ...pageShape } as const satisfies Shape;

export interface DeliveryListFields {
  state?: DeliveryState;
  event?: DeliveryEventName;
  page?: number;
}

/** The query of GET /webhooks/{id}/deliveries. */
export const deliveryListRules = Joi.object<DeliveryListFields>({
  state: deliveryState,
  event: deliveryEvent,
  page: pageNumber,
});

export const replayShape = { from: 'text', to: 'text', events: 'list' } as const satisfies Shape;

export interface ReplayFields {
  /** ms */
  from: number;
  /** ms; default: now. */
  to?: number;
  /** Default: the events of the subscription. */
  events?: MessageEventName[];
}

/** The fields of POST /webhooks/{id}/replay. That `from` is not after `to` is checked by the endpoint. */
export const replayRules = Joi.object<ReplayFields>({
  from: timestamp.required(),
  to: timestamp,
  events: eventTypes,
});

export const feedShape = { after: 'text', limit: 'integer' } as const satisfies Shape;

export interface FeedFields {
  /** The cursor after which to read, as its owner got it. */
  after?: string;
  limit?: number;
}

/** Events on one page of the feed: the default and the most. */
export const FEED_LIMIT = 100;
const MAX_FEED_LIMIT = 500;

/** 16 bytes as base64url. */
const CURSOR = /^[\w-]{22}$/;

/** The query of GET /events. */
export const feedRules = Joi.object<FeedFields>({
  after: Joi.any()
    .custom(readCursor)
    .meta(inJsonSchema({ type: 'string', pattern: CURSOR.source })),
  limit: wholeNumber(1, MAX_FEED_LIMIT, FEED_LIMIT),
});

function readCursor(value: unknown, { error }: CustomHelpers): unknown {
  return typeof value === 'string' && CURSOR.test(value) ? value : error('cursor.invalid');
}
