import { isLinked } from '../../domain/conversions/conversion';
import { defined } from '../../lib/defined';
import { explainConversion } from '../../operations/conversions/explain';
import { reportConversion } from '../../operations/conversions/report-conversion';
import { currencyWarnings } from '../../schemas/conversions/currency-warning';
import { conversionListRules, conversionListShape } from '../../schemas/conversions/list-conversions';
import { newConversionRules, newConversionShape } from '../../schemas/conversions/new-conversion';
import {
  conversionAnswer,
  conversionPageAnswer,
  presentConversion,
  presentExplained,
  shownConversionAnswer,
} from '../../schemas/responses/conversion';
import { readUuid } from '../../schemas/rules/ids';
import { objectTime } from '../../schemas/rules/timestamps';
import { validationMessage } from '../../schemas/rules/validation-messages';
import type { PageQuery } from '../../stores/ports/page';
import { ApiError, invalidFields } from '../errors';
import { exampleOf, examplePage } from '../openapi/examples';
import { fieldFault } from '../openapi/operation';
import { paged } from '../paged';
import { found } from '../path-id';
import { Answer, resource } from '../route';

const route = resource({ tag: 'Conversions', scope: 'send_email' });

/** Sales, to be linked to the email that led to them (docs/contract.md#attribution). */
export const conversions = [
  route('POST /conversions', {
    id: 'recordConversion',
    summary: 'Record a sale',
    description:
      'A sale is linked to the last tracked email click in the 7 days before it; a sale that cannot be linked is not stored. ' +
      'Name the buyer by `email`, or the clicked message by `message_id`; when both are given the email is ignored.',
    body: { shape: newConversionShape, rules: newConversionRules },
    fields: {
      amount: 'Whole rupiah. There are no other currencies: convert the amount before you report it.',
      email: "The buyer's email address, matched to a contact.",
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
    async handle(deps, { workspace, fields, readBody }) {
      const sale = await fields();
      const outcome = await reportConversion(deps, workspace.id, sale);
      if (outcome === 'future') {
        throw invalidFields({ occurred_at: [validationMessage('timestamp.future', 'occurred_at')] });
      }
      if (outcome === 'duplicate') return new Answer(200, { received: true, duplicate: true });
      const warnings = currencyWarnings((await readBody()).fields, sale.amount);
      return { received: true, duplicate: false, ...(warnings.length > 0 && { warnings }) };
    },
  }),

  route('GET /conversions', {
    id: 'listConversions',
    summary: 'List sales that are linked to emails',
    description: 'Newest first, 50 per page. A sale appears here once it is linked.',
    query: { shape: conversionListShape, rules: conversionListRules },
    fields: {
      message_id: 'Only those linked to this message.',
      campaign_id: 'Only those linked to messages of this campaign.',
      since: 'Only sales at or after this time; ISO 8601, UTC if it has no timezone.',
      until: 'Only sales at or before this time.',
      page: 'From 1; a page after the last is empty.',
    },
    answers: [
      {
        status: 200,
        description: 'The conversions.',
        schema: conversionPageAnswer,
        examples: { page: examplePage('/conversions', exampleOf(conversionPageAnswer, 'data')) },
      },
    ],
    refusals: [fieldFault('page', 'The page field must be at least 1.')],
    handle(deps, { workspace, query: { message_id: messageId, campaign_id: campaignId, since, until, page } }) {
      const filter = defined({ messageId, campaignId, since, until });
      const filters = defined({
        message_id: messageId,
        campaign_id: campaignId === undefined ? undefined : String(campaignId),
        since: since === undefined ? undefined : objectTime(since),
        until: until === undefined ? undefined : objectTime(until),
      });
      const read = (cut: PageQuery) => deps.stores.conversions.list(workspace.id, filter, cut);
      return paged(deps, { path: '/conversions', page, filters }, read, presentConversion);
    },
  }),

  route('GET /conversions/:id', {
    id: 'showConversion',
    summary: 'Show a sale and why it is linked',
    description: 'The sale, the click it is linked to, and the other clicks considered.',
    parameters: {
      id: {
        description: 'The id. Any other value than that of a linked sale of the account returns 404.',
        schema: { type: 'string', format: 'uuid' },
      },
    },
    answers: [{ status: 200, description: 'The conversion.', schema: shownConversionAnswer }],
    async handle({ stores }, { workspace, params }) {
      const sale = await stores.conversions.get(found(readUuid(params.id)));
      if (sale?.workspaceId !== workspace.id || !isLinked(sale)) throw new ApiError('not_found');
      return presentExplained(sale, await explainConversion(stores, sale));
    },
  }),
];
