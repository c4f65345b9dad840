import { distance } from '../../lib/edit-distance';
import { VARIABLES } from './config-variables';
import type { Env } from './env-reader';

const KNOWN = Object.keys(VARIABLES);
/**
 * What the guides call the API's address, a key of it and the secret of a webhook: applications run beside the service.
 */
const OF_CALLERS = ['KURIR_URL', 'KURIR_KEY', 'KURIR_WEBHOOK_SECRET'];
/** What Kubernetes sets in every container for a service called "kurir". */
const SERVICE_LINK = /_SERVICE_(HOST|PORT)(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/;
/** Changed characters up to which another name counts as meant. */
const NEAR = 4;
const VERY_NEAR = 2;

/**
 * One sentence for each variable that looks like a setting and is none, with the nearest setting. Kafka, MongoDB and
 * Redis belong to other programs too, so of those only what almost has the name of a setting that is missing.
 */
export function unknownSettings(env: Env): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (KNOWN.includes(name) || OF_CALLERS.includes(name) || !value?.trim()) return [];
    if (/^KURIR_/i.test(name)) return isServiceLink(name, value) ? [] : [sentence(name, nearest(name), NEAR)];
    if (!/^(KAFKA|MONGODB|REDIS)_/i.test(name)) return [];
    const meant = nearest(name);
    const missed = meant.distance <= VERY_NEAR && !env[meant.name]?.trim();
    return missed ? [sentence(name, meant, VERY_NEAR)] : [];
  });
}

const isServiceLink = (name: string, value: string): boolean =>
  SERVICE_LINK.test(name) || /^(tcp|udp):\/\//.test(value);

interface Meant {
  name: string;
  distance: number;
}

const sentence = (name: string, meant: Meant, near: number): string =>
  `${name} is not a setting. ${meant.distance <= near ? `Did you mean ${meant.name}?` : 'docs/configuration.md lists them.'}`;

function nearest(name: string): Meant {
  const upper = name.toUpperCase();
  // A name whose end was left out is nearer than any that is spelled otherwise.
  const far = (known: string): number => (known.startsWith(`${upper}_`) ? 0 : distance(upper, known));
  const candidates = KNOWN.map((known) => ({ name: known, distance: far(known) }));
  return candidates.reduce((best, next) => (next.distance < best.distance ? next : best));
}
