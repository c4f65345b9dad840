import type { Middleware } from 'koa';
import type { Services } from '../app/services';
import { openDashboard } from '../dashboard';

/** What the HTTP port serves to the people who run the service: the dashboard at `/app`. */
export const openDoors = (services: Services): Middleware =>
  services.config.dashboard ? openDashboard(services) : (_ctx, next) => next();
