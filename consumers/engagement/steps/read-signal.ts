import Joi from 'joi';
import type { Signal } from '../../../domain/signal';

const text = Joi.string().min(1);

/** Keys of a newer program are let through: a record may be read by an older one while the processes are replaced. */
const schema = Joi.object<Signal>({
  id: text.max(200).required(),
  messageId: Joi.string().guid().required(),
  kind: Joi.string().valid('open', 'click', 'unsubscribe').required(),
  at: Joi.number().integer().min(0).required(),
  // Records that an older program left unread have an address here, or nothing: what the recipient did counts all the same.
  link: Joi.when('kind', {
    is: 'click',
    then: Joi.number().integer().min(0).allow(null),
    otherwise: Joi.valid(null),
  }).default(null),
})
  .unknown()
  .required();

/** The signal a record of `engagement.hits` carries, or what is wrong with it. */
export function readSignal(value: unknown): { signal: Signal } | { signal: null; fault: string } {
  const checked: Joi.ValidationResult<Signal> = schema.validate(value, { convert: false });
  if (checked.error) return { signal: null, fault: `not a signal: ${checked.error.message}` };
  return { signal: checked.value };
}
