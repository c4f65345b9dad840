import type { Config } from './config';

export const LOOPBACK = '127.0.0.1';

/** True for the host of a URL that stays on this machine. */
export function isLoopbackName(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

const hostInUrl = (host: string): string => {
  if (host === '0.0.0.0') return LOOPBACK;
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

/** Base of tracking links, pages and the API: as configured, otherwise the real host and port. No trailing slash. */
export function publicUrlOf(config: Pick<Config, 'publicUrl' | 'httpHost' | 'tls'>, httpPort: number): string {
  return config.publicUrl ?? `${config.tls ? 'https' : 'http'}://${hostInUrl(config.httpHost)}:${httpPort}`;
}

/** The address on which all listeners except the HTTP port bind. */
export const listenAddress = ({ httpHost }: Pick<Config, 'httpHost'>): string =>
  httpHost === 'localhost' ? LOOPBACK : httpHost;
