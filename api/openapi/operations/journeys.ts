import { enrollmentAnswer, journeysAnswer } from '../../../schemas/responses/journey';
import type { ListedOperation } from '../listed-operation';
import { fieldFault, integerId } from '../operation';

const enrollment = (enrolled: boolean, message: string): object => ({
  journey_id: 5,
  email: 'siti@pelanggan.example',
  enrolled,
  message,
});

export const journeyOperations: readonly ListedOperation[] = [
  {
    method: 'GET',
    path: '/journeys',
    id: 'listJourneys',
    tag: 'Journeys',
    summary: 'List journeys',
    description: 'All journeys, on one page.',
    answers: [{ status: 200, description: 'The journeys.', schema: journeysAnswer }],
  },
  {
    method: 'POST',
    path: '/journeys/:id/enroll',
    id: 'enrollContact',
    tag: 'Journeys',
    summary: 'Enroll a contact in a journey',
    description:
      'Only for journeys whose trigger_type is `api`. An address without a contact gets one. A contact enters a journey ' +
      'at most once. Steps are processed every minute. A suppressed recipient costs no penalty here.',
    parameters: { id: integerId('The journey', 5) },
    fields: {
      email: 'The address of the contact.',
      name: 'Used for a new contact only.',
      consent: 'Must be true: the contact opted in.',
    },
    requests: { contact: { email: 'siti@pelanggan.example', name: 'Siti Rahma', consent: true } },
    answers: [
      {
        status: 201,
        description: 'Enrolled.',
        schema: enrollmentAnswer,
        examples: { enrolled: enrollment(true, 'Kontak didaftarkan ke journey.') },
      },
      {
        status: 200,
        description: 'The contact entered this journey before.',
        schema: enrollmentAnswer,
        examples: { repeated: enrollment(false, 'Kontak sudah pernah masuk journey ini.') },
      },
    ],
    refusals: [
      fieldFault('consent', 'The consent field must be true.'),
      { code: 'journey_not_api' },
      { code: 'journey_inactive' },
      { code: 'recipient_suppressed' },
      { code: 'contact_unsubscribed' },
    ],
  },
];
