import { activated, dkimKeysOf, type PendingDkimKey } from '../../domain/settings/dkim-rotation';
import type { DomainMail, DomainStatus, SendingDomain } from '../../domain/settings/sending-domain';
import type { DomainStore } from '../../stores/ports/domain-store';

/** Sets what a domain may do: only an active one may send. Answers it as it is then. */
export async function setDomainStatus(
  domains: Pick<DomainStore, 'setStatus'>,
  of: SendingDomain,
  status: DomainStatus,
): Promise<SendingDomain> {
  return (await domains.setStatus(of.id, status)) ?? { ...of, status };
}

/** Sets what the mail of a domain is from now on; mail that was accepted before stays what it was. */
export async function setDomainMail(
  domains: Pick<DomainStore, 'setMail'>,
  of: SendingDomain,
  mail: DomainMail,
): Promise<SendingDomain> {
  return (await domains.setMail(of.id, mail)) ?? { ...of, ...mail };
}

/**
 * Signs with the key that waited, from `now` on, ms; `value` is what the record of the old one says. Null if the keys
 * were changed meanwhile.
 */
export const signWithPending = (
  domains: Pick<DomainStore, 'setDkim'>,
  of: SendingDomain,
  pending: PendingDkimKey,
  value: string,
  now: number,
): Promise<SendingDomain | null> => domains.setDkim(of, activated(of, pending, value, now));

/** Drops the key that waits for its record. Null if the keys were changed meanwhile. */
export const dropPendingKey = (
  domains: Pick<DomainStore, 'setDkim'>,
  of: SendingDomain,
): Promise<SendingDomain | null> => domains.setDkim(of, { ...dkimKeysOf(of), dkimPending: null });
