import { dashboardUrlOf, publicUrlOf } from '../config/origin';
import { findRunning, type RunningService } from './running-file';
import { OperationError, type Session, why } from '../definition';

/** The service that runs on the data of the embedded engine; null when there is none, or nothing is known of it. */
export function runningService({ engine, dataDir }: Session['config']): RunningService | null {
  const found = engine === 'embedded' ? findRunning(dataDir) : null;
  return found === 'unknown' ? null : found;
}

/** The address of the service; null when it is not known: a port chosen by the system is only while it runs. */
export function knownPublicUrl({ config }: Pick<Session, 'config'>): string | null {
  if (config.publicUrl !== null || config.httpPort !== 0) return publicUrlOf(config, config.httpPort);
  return runningService(config)?.baseUrl.replace(/\/v1$/, '') ?? null;
}

/** The address of the service. Throws OperationError when it is not known. */
export function publicUrl(session: Pick<Session, 'config'>): string {
  const known = knownPublicUrl(session);
  if (known !== null) return known;
  if (session.config.engine === 'embedded') {
    throw new OperationError(
      why('address_while_running'),
      'Start the service, or set KURIR_HTTP_PORT or KURIR_PUBLIC_URL.',
    );
  }
  // One of many processes: each has another port.
  throw new OperationError(
    why('address_unknown'),
    'Set KURIR_PUBLIC_URL, or KURIR_DASHBOARD_URL for the dashboard, in every process.',
  );
}

/** The address of the dashboard. Throws OperationError when it is not known. */
export function dashboardUrl(session: Pick<Session, 'config'>): string {
  const { config } = session;
  const isKnown = config.dashboardUrl !== null || config.dashboardPort !== 0;
  return dashboardUrlOf(config, isKnown ? '' : publicUrl(session));
}
