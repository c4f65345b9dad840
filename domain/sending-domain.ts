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

export interface SendingDomain {
  id: number;
  workspaceId: number;
  /** Lower case, ASCII (punycode). */
  domain: string;
  status: DomainStatus;
  dkimSelector: string;
  /** PKCS#8 PEM of the RSA-2048 key, sealed (AES-256-GCM). */
  dkimKeySealed: string;
  createdAt: number;
}

/** The subdomain that receives bounces for a sending domain (docs/contract.md#return-path). */
export function bounceDomain(domain: string): string {
  return `bounce.${domain}`;
}

/** The sealing context of a DKIM key, so that it opens only for its own domain. */
export const dkimContext = (domain: string): string => `dkim:${domain}`;
