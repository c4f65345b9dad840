import type { EnrollRefusal } from '../../domain/journeys/enrollment';
import { texts } from '../../domain/texts';
import { newContact } from '../../operations/contacts/new-contact';
import { enrollContact } from '../../operations/journeys/enroll-contact';
import { newContactRules, newContactShape } from '../../schemas/contacts/new-contact';
import { list } from '../../schemas/responses/closed';
import { enrollmentAnswer, journeyAnswer, presentJourney } from '../../schemas/responses/journey';
import { ApiError, type ErrorCode } from '../errors';
import { fieldFault, integerId } from '../openapi/operation';
import { found, pathId } from '../path-id';
import { Answer, resource } from '../route';

const route = resource({ tag: 'Journeys', scope: 'send_email' });

const CODES: Record<EnrollRefusal, ErrorCode> = {
  no_journey: 'not_found',
  not_api: 'journey_not_api',
  not_active: 'journey_inactive',
  suppressed: 'recipient_suppressed',
  unsubscribed: 'contact_unsubscribed',
};

const enrollment = (enrolled: boolean, message: string): object => ({
  journey_id: 5,
  email: 'siti@pelanggan.example',
  enrolled,
  message,
});

/** Automated sequences (docs/contract.md#list-of-journeys). */
export const journeys = [
  route('GET /journeys', {
    id: 'listJourneys',
    summary: 'List journeys',
    description: 'All journeys, on one page.',
    answers: [{ status: 200, description: 'The journeys.', schema: list(journeyAnswer) }],
    handle: async ({ stores }, { workspace }) => (await stores.journeys.list(workspace.id)).map(presentJourney),
  }),

  // An unknown journey is refused before the fields are checked (docs/contract.md#order-of-enrollment-checks).
  route('POST /journeys/:id/enroll', {
    id: 'enrollContact',
    summary: 'Enroll a contact in a journey',
    description:
      'Only for journeys whose trigger_type is `api`. An address without a contact gets one. A contact enters a journey ' +
      'at most once. Steps are processed every minute. A suppressed recipient costs no penalty here.',
    parameters: { id: integerId('The journey', 5) },
    body: { shape: newContactShape, rules: newContactRules },
    fields: {
      email: 'The email address of the contact.',
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
    async handle(deps, { workspace, params, fields }) {
      const journey = found(await deps.stores.journeys.get(workspace.id, pathId(params)));
      const body = await fields();
      const contact = newContact(deps, workspace, body);
      const outcome = await enrollContact(deps, journey, contact, { source: 'api', by: null });
      if (outcome.kind === 'refused') throw new ApiError(CODES[outcome.reason]);
      const common = { journey_id: journey.id, email: body.email };
      return outcome.kind === 'enrolled'
        ? { ...common, enrolled: true, message: texts.journeyEntered }
        : new Answer(200, { ...common, enrolled: false, message: texts.journeyEnteredBefore });
    },
  }),
];
