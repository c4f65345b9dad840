import { storedIdempotencyKey } from '../../../domain/stored-idempotency-key';
import { canonicalAddress } from '../../../schemas/email-address';
import { validationMessage } from '../../../schemas/validation-messages';
import { newConversionRules, newConversionShape, type NewConversionFields } from '../../../schemas/new-conversion';
import type { Workspace } from '../../../domain/workspace';
import type { ApiDeps } from '../../deps';
import { invalidFields } from '../../errors';
import { route } from '../../route';

/** How far a caller's clock may be ahead of ours, ms (docs/contract.md#report-a-conversion). */
const GRACE = 60_000;

/**
 * POST /conversions: 201 for a sale, 200 for a repeated order_id (docs/contract.md#report-a-conversion). The buyer goes
 * into the store and the log as the id of a contact, never as an address, and an order_id that may hold one as its
 * keyed hash; who has no contact stays unknown. Whether the sale can be linked is found out later.
 */
export const reportConversion = route({
  method: 'POST',
  path: '/conversions',
  scope: 'send_email',
  emailModule: 'required',
  body: { shape: newConversionShape, rules: newConversionRules },
  async handle(deps, { workspace, fields }) {
    const given = await fields();
    const now = deps.clock.now();
    const { amount, message_id: messageId = null, order_id: orderId = null, occurred_at: occurredAt = now } = given;
    if (occurredAt > now + GRACE) {
      throw invalidFields({ occurred_at: [validationMessage('timestamp.future', 'occurred_at')] });
    }
    const outcome = await deps.stores.conversions.accept({
      id: deps.newId(),
      workspaceId: workspace.id,
      amount,
      messageId,
      contactId: await findBuyer(deps, workspace, given),
      orderId: orderId === null ? null : storedIdempotencyKey(deps.keyring, orderId),
      occurredAt,
      receivedAt: now,
    });
    const duplicate = outcome === 'duplicate';
    return { status: duplicate ? 200 : 201, body: { received: true, duplicate } };
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
