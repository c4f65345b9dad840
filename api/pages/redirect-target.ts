import { readUrl } from '../../lib/read-url';

/**
 * A stored destination as the value of a Location header, or null when it is no http(s) URL. The URL parser leaves
 * printable ASCII only, so neither a line break nor another scheme can come out.
 */
export function redirectTarget(destination: string): string | null {
  const url = readUrl(destination);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null;
}
