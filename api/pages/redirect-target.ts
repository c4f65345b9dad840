/**
 * A stored destination as the value of a Location header, or null when it is no http(s) URL. The URL parser leaves
 * printable ASCII only, so neither a line break nor another scheme can come out.
 */
export function redirectTarget(destination: string): string | null {
  if (!URL.canParse(destination)) return null;
  const url = new URL(destination);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}
