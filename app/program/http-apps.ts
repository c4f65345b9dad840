import type { Middleware } from 'koa';
import { openAdmin } from '../../api/admin';
import type { Services } from '../shared-services';
import { openDashboard } from '../../dashboard';

/**
 * What the HTTP port serves to those who run the service: the dashboard at `/app` for people, the management API at
 * `/admin` for programs.
 */
export function openHttpApps(services: Services): Middleware {
  if (!services.config.dashboard) return (_ctx, next) => next();
  const [dashboard, admin] = [openDashboard(services), openAdmin(services)];
  return (ctx, next) => dashboard(ctx, () => admin(ctx, next) as Promise<unknown>) as unknown;
}
