import Joi from 'joi';
import type { LedgerEntry } from '../../domain/coins';

const whole = Joi.number().integer();
const text = Joi.string().min(1).max(300);

/**
 * Keys of a newer program are let through. The sign belongs to the kind: a refund that takes, or a penalty that gives,
 * is a fault of whoever wrote it, and a coin is easier kept right than put right.
 */
const schema = Joi.object<LedgerEntry>({
  id: text.required(),
  workspaceId: whole.min(1).required(),
  kind: Joi.string().valid('debit', 'refund', 'penalty', 'topup', 'grant').required(),
  amount: whole
    .invalid(0)
    .when('kind', { is: Joi.valid('debit', 'penalty'), then: Joi.number().negative() })
    .when('kind', { is: Joi.valid('refund', 'topup'), then: Joi.number().positive() })
    .required(),
  messageId: Joi.string().guid().allow(null).required(),
  at: whole.min(0).required(),
  gate: Joi.object({ key: text.required(), windowMs: whole.min(1).required() }).unknown(),
  purchase: Joi.object({ expiresAt: whole.allow(null).required() }).unknown(),
})
  .unknown()
  .required();

/** The ledger entry a record of `coins.entries` carries, or what is wrong with it. */
export function readEntry(value: unknown): { entry: LedgerEntry } | { entry: null; fault: string } {
  const checked: Joi.ValidationResult<LedgerEntry> = schema.validate(value, { convert: false });
  if (checked.error) return { entry: null, fault: `not a ledger entry: ${checked.error.message}` };
  return { entry: checked.value };
}
