import type { Middleware } from 'koa';
import type { Services } from '../operations/services';
import { firstTicket } from '../operations/people/tickets';
import { BASE } from './kit/cookies';
import { Dashboard } from './kit/serve';
import { SCREENS } from './screens';

/** The dashboard, to be served below `/app`. */
export const openDashboard = (services: Services): Middleware => new Dashboard(services, SCREENS).serve;

/** A link that makes the first operator; null once there is a user. The one before stops working. */
export async function firstOperatorLink({ engine, clock, dashboardUrl }: Services): Promise<string | null> {
  const token = await firstTicket({ records: engine.stores.records, clock });
  return token === null ? null : `${dashboardUrl()}${BASE}/claim/${token}`;
}
