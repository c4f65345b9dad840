import { readUrl } from '../../lib/read-url';
import { isLoopbackName } from './loopback-name';
import type { VariableName } from './config-variables';
import type { EnvReader } from './env-reader';

type Reader = EnvReader<VariableName>;

/** Null: taken from the real host and port once they are bound. No trailing slash. */
interface OwnUrls {
  publicUrl: string | null;
  dashboardUrl: string | null;
}

/** Links with the personal data of recipients, API keys and passwords must not cross a network in the clear. */
function readOwnUrl(
  read: Reader,
  name: 'KURIR_PUBLIC_URL' | 'KURIR_DASHBOARD_URL',
  isInsecureAllowed: boolean,
): string | null {
  const text = read.url(name, ['http:', 'https:']);
  const url = text === null ? null : readUrl(text);
  if (url?.protocol === 'http:' && !isLoopbackName(url.hostname) && !isInsecureAllowed) {
    read.fault(
      name,
      'must be https://, because its host is not loopback; set KURIR_INSECURE_HTTP=true to allow http:// anyway',
    );
  }
  return text;
}

/** Where recipients and where people of the dashboard reach this. */
export function readOwnUrls(read: Reader): OwnUrls {
  const isInsecureAllowed = read.oneOf('KURIR_INSECURE_HTTP', ['false', 'true']) === 'true';
  const text = readOwnUrl(read, 'KURIR_DASHBOARD_URL', isInsecureAllowed);
  const path = text === null ? '/' : (readUrl(text)?.pathname ?? '/');
  if (path !== '/') read.fault('KURIR_DASHBOARD_URL', 'must not have a path: the dashboard is served at /app');
  return { publicUrl: readOwnUrl(read, 'KURIR_PUBLIC_URL', isInsecureAllowed), dashboardUrl: text };
}
