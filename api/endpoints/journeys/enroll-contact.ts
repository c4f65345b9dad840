import { texts } from '../../../domain/texts';
import { newContactRules, newContactShape } from '../../../schemas/contacts/new-contact';
import type { EnrollRefusal } from '../../../domain/journeys/enrollment';
import { ApiError, type ErrorCode } from '../../errors';
import { enrollContact as enroll } from '../../../operations/journeys/enroll-contact';
import { newContact } from '../../../operations/contacts/new-contact';
import { found, pathId } from '../../path-id';
import { route } from '../../route';

const REFUSALS: Record<EnrollRefusal, ErrorCode> = {
  no_journey: 'not_found',
  not_api: 'journey_not_api',
  not_active: 'journey_inactive',
  suppressed: 'recipient_suppressed',
  unsubscribed: 'contact_unsubscribed',
};

/**
 * POST /journeys/{id}/enroll: 201 for a contact that enters the journey, 200 for one that entered it before
 * (docs/contract.md#enroll-a-contact). An unknown journey is refused before the fields are checked
 * (docs/contract.md#order-of-enrollment-checks).
 */
export const enrollContact = route({
  method: 'POST',
  path: '/journeys/:id/enroll',
  scope: 'send_email',
  emailModule: 'required',
  body: { shape: newContactShape, rules: newContactRules },
  async handle(deps, { workspace, params, fields }) {
    const journey = found(await deps.stores.journeys.get(workspace.id, pathId(params)));
    const body = await fields();
    const outcome = await enroll(deps, journey, newContact(deps, workspace, body), { source: 'api', by: null });
    if (outcome.kind === 'refused') throw new ApiError(REFUSALS[outcome.because]);
    const enrolled = outcome.kind === 'enrolled';
    const message = enrolled ? texts.journeyEntered : texts.journeyEnteredBefore;
    return { status: enrolled ? 201 : 200, body: { journey_id: journey.id, email: body.email, enrolled, message } };
  },
});
