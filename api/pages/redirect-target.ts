import { readUrl } from '../../lib/read-url';

/**
 * A stored destination as the value of a Location header, or null when it is not an http(s) URL. The URL parser leaves
 * only printable ASCII, so the value cannot contain a line break or another scheme.
 */
export function redirectTarget(destination: string): string | null {
  const url = readUrl(destination);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null;
}
