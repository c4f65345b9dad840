import { request } from 'undici';
import { finding, type Found } from '../../domain/deliverability/finding';
import { publicUrlFault } from '../config/origin';

const PATIENCE = 5_000;
/** A link that nobody has: it unsubscribes no one, and Kurir answers that it is not known. */
const NO_TOKEN = `/u/${'0'.repeat(38)}`;

/** Whether the POST of RFC 8058 comes through to the pages, from here, as mail programs send it. */
export async function checkOneClick(config: { publicUrl: string | null; mtaUrl: string | null }): Promise<Found[]> {
  const { publicUrl } = config;
  const fault = publicUrlFault(config);
  if (publicUrl === null || fault !== null)
    return [finding('public-address', String(fault ?? 'KURIR_PUBLIC_URL is not set'))];
  if (!publicUrl.startsWith('https://')) return [finding('public-address', publicUrl)];
  return postOneClick(publicUrl);
}

/** Posts to the pages at a public URL. */
export async function postOneClick(publicUrl: string): Promise<Found[]> {
  try {
    const { statusCode, headers, body } = await request(`${publicUrl}${NO_TOKEN}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
      headersTimeout: PATIENCE,
      bodyTimeout: PATIENCE,
      signal: AbortSignal.timeout(PATIENCE),
    });
    await body.dump();
    if (statusCode >= 300 && statusCode < 400)
      return [finding('one-click-redirect', `${statusCode} to ${String(headers['location'])}`)];
    const isOurs =
      statusCode === 404 && headers['x-robots-tag'] === 'noindex' && headers['referrer-policy'] === 'no-referrer';
    return isOurs ? [] : [finding('one-click-refused', `${publicUrl} answers ${statusCode}`)];
  } catch (error) {
    return [finding('one-click-unreachable', `${publicUrl}: ${(error as Error).message}`)];
  }
}
