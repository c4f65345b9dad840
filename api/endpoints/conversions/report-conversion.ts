import { storedIdempotencyKey } from '../../../domain/messages/stored-idempotency-key';
import { canonicalAddress } from '../../../schemas/rules/email-address';
import { validationMessage } from '../../../schemas/rules/validation-messages';
import {
  newConversionRules,
  newConversionShape,
  type NewConversionFields,
} from '../../../schemas/conversions/new-conversion';
import type { Workspace } from '../../../domain/settings/workspace';
import type { ApiDeps } from '../../deps';
import { invalidFields } from '../../errors';
import { currencyWarnings } from '../../../schemas/conversions/currency-warning';
import { route } from '../../route';

/** How far a caller's clock may be ahead, ms (docs/contract.md#report-a-conversion). */
const GRACE = 60_000;

/**
 * POST /conversions: 201 for a sale, 200 for a repeated order_id (docs/contract.md#report-a-conversion). The store and
 * the log keep the buyer as a contact id, never as an address, and an order_id that may contain an address as its keyed
 * hash. A buyer without a contact stays unknown. The sale is linked later, if possible.
 */
export const reportConversion = route({
  method: 'POST',
  path: '/conversions',
  scope: 'send_email',
  emailModule: 'required',
  body: { shape: newConversionShape, rules: newConversionRules },
  async handle(deps, { workspace, fields, readBody }) {
    const body = await fields();
    const now = deps.clock.now();
    const { amount, message_id: messageId = null, order_id: orderId = null, occurred_at: occurredAt = now } = body;
    if (occurredAt > now + GRACE) {
      throw invalidFields({ occurred_at: [validationMessage('timestamp.future', 'occurred_at')] });
    }
    const outcome = await deps.stores.conversions.accept({
      id: deps.newId(),
      workspaceId: workspace.id,
      amount,
      messageId,
      contactId: await findBuyer(deps, workspace, body),
      orderId: orderId === null ? null : storedIdempotencyKey(deps.keyring, orderId),
      occurredAt,
      receivedAt: now,
    });
    const duplicate = outcome === 'duplicate';
    const warnings = duplicate ? [] : currencyWarnings((await readBody()).fields, amount);
    return {
      status: duplicate ? 200 : 201,
      body: { received: true, duplicate, ...(warnings.length > 0 && { warnings }) },
    };
  },
});

async function findBuyer(
  { stores }: ApiDeps,
  { id }: Workspace,
  { email, message_id: messageId }: NewConversionFields,
): Promise<number | null> {
  if (messageId !== undefined || email === undefined) return null;
  return (await stores.contacts.find(id, canonicalAddress(email)))?.id ?? null;
}
