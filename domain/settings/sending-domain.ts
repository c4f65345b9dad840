import type { MessageFacts } from '../messages/message';
import type { DkimKeys } from './dkim-rotation';

/** Statuses of a sending domain (docs/contract.md#sending-domains); only `active` may send. */
export const DOMAIN_STATUSES = [
  'pending_dns',
  'dns_verifying',
  'provisioning',
  'active',
  'dns_failed',
  'suspended',
] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** What the mail of a domain is, by the operator's word (docs/contract.md#transactional-mail). */
export const DOMAIN_CATEGORIES = ['marketing', 'transactional'] as const;
export type DomainCategory = (typeof DOMAIN_CATEGORIES)[number];

/** The category of a domain, and what follows from it. */
export interface DomainMail {
  category: DomainCategory;
  /** Tracks the links of transactional mail; those of marketing mail always are, and it is false there. */
  trackClicks: boolean;
}

/** A new domain is one for marketing. */
export const NEW_DOMAIN_MAIL: Readonly<DomainMail> = { category: 'marketing', trackClicks: false };

export interface SendingDomain extends DomainMail, DkimKeys {
  id: number;
  workspaceId: number;
  /** Lower case, ASCII (punycode). */
  domain: string;
  status: DomainStatus;
  createdAt: number;
}

/** What a message of a caller takes over from its domain when it is accepted. */
export const mailOf = ({ category, trackClicks }: DomainMail): Pick<MessageFacts, 'category' | 'trackClicks'> =>
  category === 'transactional' ? { category, trackClicks } : { category: null, trackClicks: false };

/** The domain that mails of ours to recipients go out from: the first of the workspace that is active. */
export const firstActive = (domains: readonly SendingDomain[]): SendingDomain | null =>
  domains.filter(({ status }) => status === 'active').sort((a, b) => a.id - b.id)[0] ?? null;

/** The subdomain that receives bounces for a sending domain (docs/contract.md#return-path). */
export function bounceDomain(domain: string): string {
  return `bounce.${domain}`;
}

/** The sealing context of a DKIM key, so that it opens only for its own domain. */
export const dkimContext = (domain: string): string => `dkim:${domain}`;
