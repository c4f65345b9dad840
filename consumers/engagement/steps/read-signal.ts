import Joi from 'joi';
import type { Signal } from '../../../domain/signal';

const text = Joi.string().min(1);

interface Hit extends Omit<Signal, 'link'> {
  link?: number | null;
  url?: string | null;
}

const ofClicks = (rule: Joi.Schema): Joi.Schema =>
  Joi.when('kind', { is: 'click', then: rule, otherwise: Joi.valid(null) });

/**
 * Keys of a newer program are let through: a record may be read by an older one while the processes are replaced. One of schema
 * version 1 names the destination of a click itself: a newer program finds such records where the older one was stopped.
 */
const schema = Joi.object<Hit>({
  id: text.max(200).required(),
  messageId: Joi.string().guid().required(),
  kind: Joi.string().valid('open', 'click', 'unsubscribe').required(),
  at: Joi.number().integer().min(0).required(),
  link: ofClicks(Joi.number().integer().min(0)),
  url: ofClicks(text),
})
  .or('link', 'url')
  .unknown()
  .required();

/** A signal; that of a click by an older program has no link but the `url` of its destination, null in all others. */
export interface ReadSignal {
  signal: Signal;
  url: string | null;
}

/** The signal a record of `engagement.hits` carries, or what is wrong with it. */
export function readSignal(value: unknown): ReadSignal | { signal: null; fault: string } {
  const checked: Joi.ValidationResult<Hit> = schema.validate(value, { convert: false });
  if (checked.error) return { signal: null, fault: `not a signal: ${checked.error.message}` };
  const { id, messageId, kind, at, link = null, url = null } = checked.value;
  return { signal: { id, messageId, kind, at, link }, url: link === null ? url : null };
}
