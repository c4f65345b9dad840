import Joi, { type CustomHelpers } from 'joi';
import { MAX_DAYS_AHEAD } from '../../domain/messages/message';
import { DAY, MINUTE } from '../../lib/clock';
import { inJsonSchema } from '../rules/json-schema';
import { hasOffset, readTimestamp } from '../rules/timestamps';

/** A time this long ago, ms, means now: clocks differ, and requests take a while. */
const GRACE = MINUTE;

/** `send_at` of a message, read to ms; null: at once (docs/contract.md#scheduled-messages). */
export const sendAt = Joi.string()
  .custom((value: string, { error, prefs }: CustomHelpers<string>) => {
    const at = hasOffset(value) ? readTimestamp(value) : null;
    if (at === null) return error('timestamp.offset');
    const { now } = (prefs.context ?? {}) as { now?: number };
    if (now === undefined) return at;
    if (at < now - GRACE) return error('timestamp.past');
    if (at > now + MAX_DAYS_AHEAD * DAY) return error('timestamp.far', { limit: MAX_DAYS_AHEAD });
    return at > now ? at : null;
  })
  .meta(inJsonSchema({ format: 'date-time' }));
