import { reasonsOf, type Reason } from '../../lib/reason';
import type { Config } from './config';
import { isLoopbackName } from './loopback-name';

export const LOOPBACK = '127.0.0.1';

const hostInUrl = (host: string): string => {
  if (host === '0.0.0.0') return LOOPBACK;
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

/** Base of tracking links, pages and the API: as configured, otherwise the real host and port. No trailing slash. */
export function publicUrlOf(config: Pick<Config, 'publicUrl' | 'httpHost' | 'tls'>, httpPort: number): string {
  return config.publicUrl ?? `${config.tls ? 'https' : 'http'}://${hostInUrl(config.httpHost)}:${httpPort}`;
}

/** True if the dashboard and the management API have a listener of their own. */
export const hasOwnPort = ({
  dashboard,
  dashboardPort,
  roles,
}: Pick<Config, 'dashboard' | 'dashboardPort' | 'roles'>) =>
  dashboard && dashboardPort !== 0 && roles.includes('dashboard');

/** Where people reach the dashboard: as configured, at its own port, or at the public URL. No trailing slash. */
export function dashboardUrlOf(
  config: Pick<Config, 'publicUrl' | 'httpHost' | 'tls' | 'dashboardUrl' | 'dashboardPort'>,
  publicUrl: string,
): string {
  const { dashboardUrl, dashboardPort } = config;
  if (dashboardUrl !== null) return dashboardUrl;
  return dashboardPort === 0 ? publicUrl : publicUrlOf({ ...config, publicUrl: null }, dashboardPort);
}

/** The address on which all listeners except the HTTP port bind. */
export const listenAddress = ({ httpHost }: Pick<Config, 'httpHost'>): string =>
  httpHost === 'localhost' ? LOOPBACK : httpHost;

const linksFault = reasonsOf({
  unset: [
    'Links, tracking pixel and unsubscribe page of every email point to this machine. Set KURIR_PUBLIC_URL to an https:// URL that recipients can reach.',
    'Tautan, piksel, dan halaman berhenti berlangganan setiap email menuju ke mesin ini. Isi KURIR_PUBLIC_URL dengan alamat https:// yang bisa dibuka penerima.',
  ],
  loopback: [
    'Links, tracking pixel and unsubscribe page of every email point to {url}, which only this machine can reach. Set KURIR_PUBLIC_URL to an https:// URL that recipients can reach.',
    'Tautan, piksel, dan halaman berhenti berlangganan setiap email menuju ke {url}, yang hanya mesin ini. Isi KURIR_PUBLIC_URL dengan alamat https:// yang bisa dibuka penerima.',
  ],
});

/**
 * Why recipients cannot open what mails link to, with the setting to change; null when nothing speaks against it. With
 * the sandbox nobody outside reads the mail.
 */
export function publicUrlFault({ publicUrl, mtaUrl }: Pick<Config, 'publicUrl' | 'mtaUrl'>): Reason | null {
  if (mtaUrl === null) return null;
  if (publicUrl === null) return linksFault('unset');
  return isLoopbackName(new URL(publicUrl).hostname) ? linksFault('loopback', { url: publicUrl }) : null;
}
