import { conversionAnswer } from '../../../schemas/responses/conversion';
import { fieldFault, type Operation } from '../operation';

export const conversionOperations: readonly Operation[] = [
  {
    method: 'POST',
    path: '/conversions',
    id: 'recordConversion',
    tag: 'Conversions',
    summary: 'Record a sale',
    description:
      'A sale is linked to the last tracked email click in the 7 days before it; one that cannot be linked is not stored. ' +
      'Name the buyer by `email`, or the clicked message by `message_id`; when both are given the email is ignored.',
    fields: {
      amount: 'Whole rupiah.',
      email: "The buyer's address, matched to a contact.",
      message_id: 'UUID of the clicked message, as passed in `svc_mid`.',
      order_id: 'A repeated value counts as a duplicate, so a request can safely be retried.',
      occurred_at: 'ISO 8601, not in the future; UTC if it has no timezone. Default: now.',
    },
    requests: {
      buyer: { amount: 250_000, email: 'siti@pelanggan.example', order_id: 'INV-2026-0917' },
      message: {
        amount: 250_000,
        message_id: '01a05c2e-7f10-7c3a-9b54-3d1f0a6b8c21',
        occurred_at: '2026-09-22T03:20:00Z',
      },
    },
    answers: [
      {
        status: 201,
        description: 'Received.',
        schema: conversionAnswer,
        examples: { new: { received: true, duplicate: false } },
      },
      {
        status: 200,
        description: 'The order_id was used before.',
        schema: conversionAnswer,
        examples: { duplicate: { received: true, duplicate: true } },
      },
    ],
    refusals: [fieldFault('amount', 'The amount field is required.')],
  },
];
