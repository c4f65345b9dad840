import { presentJourney } from '../../../schemas/responses/present-journey';
import { route } from '../../route';

/** GET /journeys: all journeys. */
export const listJourneys = route({
  method: 'GET',
  path: '/journeys',
  scope: 'send_email',
  emailModule: 'required',
  async handle({ stores }, { workspace }) {
    const journeys = await stores.journeys.list(workspace.id);
    return { status: 200, body: journeys.map(presentJourney) };
  },
});
