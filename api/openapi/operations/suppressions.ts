import Joi from 'joi';
import { deletedAnswer } from '../../../schemas/responses/deleted';
import { suppressionAnswer, suppressionPageAnswer } from '../../../schemas/responses/suppression';
import { suppressionCheckAnswer } from '../../../schemas/responses/suppression-check';
import { exampleOf, examplePage } from '../examples';
import type { ListedOperation } from '../listed-operation';
import { fieldFault } from '../operation';

const invalid = fieldFault('email', 'The email field must be a valid email address.');

export const suppressionOperations: readonly ListedOperation[] = [
  {
    method: 'GET',
    path: '/suppressions',
    id: 'listSuppressions',
    tag: 'Suppressions',
    summary: 'List blocked addresses, or check if one may be sent to',
    description:
      'Without `email`: the suppression list of the workspace, newest first, 50 per page. Addresses are kept as keyed hashes: ' +
      '`email` is null where no contact and no message has the address. With `email`: whether it may be sent to, before ' +
      'sending to an uncertain address. A forced send costs a penalty, this check costs nothing; the other parameters are ignored.',
    fields: {
      email: 'The address to check.',
      reason: 'Only entries with this reason.',
      page: 'From 1. A page after the last is empty.',
    },
    answers: [
      {
        status: 200,
        description: 'A page, or the result of the check.',
        schema: Joi.alternatives().try(suppressionPageAnswer, suppressionCheckAnswer),
        examples: {
          page: examplePage('/suppressions', exampleOf(suppressionPageAnswer, 'data')),
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
  },
  {
    method: 'POST',
    path: '/suppressions',
    id: 'suppressAddress',
    tag: 'Suppressions',
    summary: 'Block an address',
    description:
      'With the reason `manual`. Its contact leaves its journeys. An address that is blocked by hand already stays as it is.',
    fields: { email: 'The address.' },
    requests: { address: { email: 'budi@pelanggan.example' } },
    answers: [{ status: 201, description: 'The entry.', schema: suppressionAnswer }],
    refusals: [invalid],
  },
  {
    method: 'DELETE',
    path: '/suppressions/:email',
    id: 'deleteSuppression',
    tag: 'Suppressions',
    summary: 'Take a blocked address off the list',
    description:
      'Only an entry with the reason `manual`. An address that bounced or complained is removed by the operator. The status of ' +
      'its contact stays.',
    parameters: {
      email: {
        description: 'The address, URL-encoded. One that is not on the list returns 404.',
        schema: { type: 'string', format: 'idn-email' },
        example: 'budi@pelanggan.example',
      },
    },
    answers: [{ status: 200, description: 'Deleted.', schema: deletedAnswer }],
    refusals: [
      {
        code: 'suppression_not_manual',
        text: 'Only a manual entry can be deleted here, and this one has the reason hard_bounce. The operator removes it: kurir suppress remove <email> --workspace 3',
      },
    ],
  },
];
