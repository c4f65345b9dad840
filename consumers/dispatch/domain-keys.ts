import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Keyring } from '../../domain/keyring';
import { dkimContext } from '../../domain/sending-domain';
import { loadDkimKey } from '../../email/dkim-key';
import type { DomainStore } from '../../stores/ports/domain-store';

export interface SigningDomain {
  domain: string;
  selector: string;
  key: KeyObject;
}

const MAX_KEYS = 1_000;

/** Signing keys by domain id, parsed once: parsing costs twice the signature (DESIGN section 8). */
export class DomainKeys {
  private readonly keys = new LRUCache<number, SigningDomain>({ max: MAX_KEYS });

  constructor(
    private readonly domains: Pick<DomainStore, 'get'>,
    private readonly keyring: Keyring,
  ) {}

  /** Throws when the domain is gone or its key is not a sound one: nothing is ever sent unsigned. */
  async get(domainId: number): Promise<SigningDomain> {
    const known = this.keys.get(domainId);
    if (known) return known;
    const domain = await this.domains.get(domainId);
    if (!domain) throw new Error(`sending domain ${domainId} does not exist`);
    const key = loadDkimKey(this.keyring.open(domain.dkimKeySealed, dkimContext(domain.domain)));
    const signing = { domain: domain.domain, selector: domain.dkimSelector, key };
    this.keys.set(domainId, signing);
    return signing;
  }
}
