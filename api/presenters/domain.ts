import type { SendingDomain } from '../../domain/sending-domain';

/** A sending domain (spec section 2). */
export function presentDomain({ id, domain, status }: SendingDomain): object {
  return { id, domain, status };
}
