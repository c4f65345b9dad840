import { suppressionCheckAnswer } from '../../../schemas/responses/suppression-check';
import { fieldFault, type Operation } from '../operation';

export const suppressionOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/suppressions',
    id: 'checkSuppression',
    tag: 'Suppressions',
    summary: 'Check if an address may be sent to',
    description:
      'For use before sending to an uncertain address: a forced send costs a penalty, this check costs nothing.',
    fields: { email: 'The address.' },
    answers: [
      {
        status: 200,
        description: 'The result.',
        schema: suppressionCheckAnswer,
        examples: {
          'can send': { email: 'siti@pelanggan.example', can_send: true, reason: null },
          'cannot send': { email: 'budi@pelanggan.example', can_send: false, reason: 'hard_bounce' },
        },
      },
    ],
    refusals: [fieldFault('email', 'The email field must be a valid email address.')],
  },
];
