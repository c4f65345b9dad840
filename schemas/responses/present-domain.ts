import type { SendingDomain } from '../../domain/settings/sending-domain';

/** A sending domain (docs/contract.md#sending-domains). */
export function presentDomain({ id, domain, status, category }: SendingDomain): object {
  return { id, domain, status, category };
}
