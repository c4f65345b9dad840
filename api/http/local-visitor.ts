import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../lib/loopback';
import { clientAddress } from '../../lib/client-network';

/** Headers by which a proxy says that it passes a request on. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

/**
 * True when the client of a request is on this machine, as far as one can know. A proxy on this machine connects from
 * loopback, too: a request that one passed on counts by the address that the trusted proxies saw, and not at all
 * without trusted proxies. HTTP/1.0 is what proxies speak that name themselves in no header.
 */
export function isLocalVisitor(req: IncomingMessage, trustedHops: number): boolean {
  if (!isLoopback(req.socket.remoteAddress ?? '')) return false;
  if (req.httpVersion === '1.0') return false;
  if (!FORWARDED.some((name) => req.headers[name] !== undefined)) return true;
  return trustedHops > 0 && req.headers['x-forwarded-for'] !== undefined && isLoopback(clientAddress(req, trustedHops));
}
