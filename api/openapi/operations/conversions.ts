import { conversionAnswer, conversionPageAnswer, shownConversionAnswer } from '../../../schemas/responses/conversion';
import { exampleOf, examplePage } from '../examples';
import type { ListedOperation } from '../listed-operation';
import { fieldFault } from '../operation';

const item = exampleOf(conversionPageAnswer, 'data');

export const conversionOperations: readonly ListedOperation[] = [
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
      amount: 'Whole rupiah. There are no other currencies: convert the amount before you report it.',
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
  {
    method: 'GET',
    path: '/conversions',
    id: 'listConversions',
    tag: 'Conversions',
    summary: 'List sales that are linked to emails',
    description: 'The newest sale first, 50 on a page. A sale appears here once it is linked.',
    fields: {
      message_id: 'Only those linked to this message.',
      campaign_id: 'Only those linked to messages of this campaign.',
      since: 'Only sales at this time or later; ISO 8601, UTC if it has no timezone.',
      until: 'Only sales at this time or earlier.',
      page: 'From 1; a page after the last is empty.',
    },
    answers: [
      {
        status: 200,
        description: 'The conversions.',
        schema: conversionPageAnswer,
        examples: { page: examplePage('/conversions', item) },
      },
    ],
    refusals: [fieldFault('page', 'The page field must be at least 1.')],
  },
  {
    method: 'GET',
    path: '/conversions/:id',
    id: 'showConversion',
    tag: 'Conversions',
    summary: 'Show why a sale is linked as it is',
    description: 'The sale, the click that it is linked to, and the clicks that were passed over.',
    parameters: {
      id: {
        description: 'The id. Anything other than that of a linked sale of the account returns 404.',
        schema: { type: 'string', format: 'uuid' },
      },
    },
    answers: [{ status: 200, description: 'The conversion.', schema: shownConversionAnswer }],
  },
];
