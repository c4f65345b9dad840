import type { SuppressionReason } from '../../domain/contacts/suppression';
import { blockByHand, blockedBy, entriesOf, unblock } from '../../operations/suppressions/block';
import { withAddresses } from '../../operations/suppressions/with-addresses';
import {
  newSuppressionRules,
  newSuppressionShape,
  suppressionListRules,
  suppressionListShape,
} from '../../schemas/contacts/suppressions';
import { either } from '../../schemas/responses/closed';
import { DELETED, deletedAnswer } from '../../schemas/responses/deleted';
import {
  presentSuppression,
  presentSuppressionCheck,
  suppressionAnswer,
  suppressionCheckAnswer,
  suppressionPageAnswer,
} from '../../schemas/responses/suppression';
import { canonicalAddress, isEmailAddress } from '../../schemas/rules/email-address';
import type { PageQuery } from '../../stores/ports/page';
import { ApiError } from '../errors';
import { exampleOf, examplePage } from '../openapi/examples';
import { fieldFault } from '../openapi/operation';
import { paged } from '../paged';
import { found } from '../path-id';
import { resource } from '../route';

const route = resource({ tag: 'Suppressions', scope: 'manage_contacts' });

const PATH = '/suppressions';
const invalid = fieldFault('email', 'The email field must be a valid email address.');

const notManual = (reason: SuppressionReason, list: string): string =>
  `Only a manual entry can be deleted here, and this one has the reason ${reason}. The operator removes it: kurir suppress remove <email> ${list}`;

/** Addresses that get no mail (docs/contract.md#list-of-suppressions). */
export const suppressions = [
  route('GET /suppressions', {
    id: 'listSuppressions',
    scope: 'send_email',
    summary: 'List suppressed addresses, or check an address',
    description:
      'Without `email`: the suppression list of the workspace, newest first, 50 per page. Addresses are kept as keyed hashes: ' +
      '`email` is null if no contact and no message has the address. With `email`: whether it can be sent to, before ' +
      'sending to an uncertain address. A forced send costs a penalty, this check costs nothing; the other parameters are ignored.',
    query: { shape: suppressionListShape, rules: suppressionListRules },
    fields: {
      email: 'The address to check.',
      reason: 'Only entries with this reason.',
      page: 'From 1. A page after the last is empty.',
    },
    answers: [
      {
        status: 200,
        description: 'A page, or the result of the check.',
        schema: either(suppressionPageAnswer, suppressionCheckAnswer),
        examples: {
          page: examplePage(PATH, exampleOf(suppressionAnswer)),
          'can send': { email: 'siti@pelanggan.example', can_send: true, reason: null },
          'cannot send': { email: 'budi@pelanggan.example', can_send: false, reason: 'hard_bounce' },
        },
      },
    ],
    refusals: [
      invalid,
      fieldFault('reason', 'The reason field must be one of complaint, hard_bounce, manual.'),
      fieldFault('page', 'The page field must be at least 1.'),
    ],
    async handle(deps, { workspace: { id }, query: { email, page, ...filters } }) {
      const { stores, keyring } = deps;
      if (email !== undefined) {
        return presentSuppressionCheck(email, await blockedBy(stores, keyring, id, canonicalAddress(email)));
      }
      const read = async (cut: PageQuery) => {
        const { total, items } = await stores.suppressions.page(id, { ...cut, ...filters });
        return { total, items: await withAddresses(stores, items) };
      };
      return paged(deps, { path: PATH, page, filters }, read, presentSuppression);
    },
  }),

  route('POST /suppressions', {
    id: 'suppressAddress',
    summary: 'Suppress an address',
    description:
      'With the reason `manual`. The contact leaves its journeys. An address that is already suppressed manually does not change.',
    body: { shape: newSuppressionShape, rules: newSuppressionRules },
    fields: { email: 'The address.' },
    requests: { address: { email: 'budi@pelanggan.example' } },
    answers: [{ status: 201, description: 'The entry.', schema: suppressionAnswer }],
    refusals: [invalid],
    async handle({ stores, keyring, clock }, { workspace, fields }) {
      const email = canonicalAddress((await fields()).email);
      const made = await blockByHand(stores, keyring, workspace.id, [email], clock.now());
      const entries = await entriesOf(stores, workspace.id, keyring.hashAddress(email));
      const [entry] = [...entries.filter(({ reason }) => reason === 'manual'), ...made];
      return presentSuppression({ ...entry!, email });
    },
  }),

  route('DELETE /suppressions/:email', {
    id: 'deleteSuppression',
    summary: 'Remove an address from the suppression list',
    description:
      'Only entries with the reason `manual`. Your administrator can remove an address that bounced or complained. The status of ' +
      'the contact does not change.',
    parameters: {
      email: {
        description: 'The address, URL-encoded. An address that is not on the list returns 404.',
        schema: { type: 'string', format: 'idn-email' },
        example: 'budi@pelanggan.example',
      },
    },
    answers: [{ status: 200, description: 'Deleted.', schema: deletedAnswer }],
    refusals: [{ code: 'suppression_not_manual', text: notManual('hard_bounce', '--workspace 3') }],
    async handle({ stores, keyring }, { workspace: { id }, params }) {
      if (!isEmailAddress(params.email)) throw new ApiError('not_found');
      const email = canonicalAddress(params.email);
      if ((await unblock(stores, keyring, id, email, 'manual')) > 0) return DELETED;
      const listed = found(await stores.suppressions.reason(id, keyring.hashAddress(email)));
      const list = listed === 'global' ? '--global' : `--workspace ${id}`;
      throw new ApiError('suppression_not_manual', { text: notManual(listed, list) });
    },
  }),
];
