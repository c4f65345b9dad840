import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Keyring } from '../../domain/keyring';
import { dkimContext } from '../../domain/settings/sending-domain';
import { loadDkimKey } from '../../email/dkim-key';
import type { DomainStore } from '../../stores/ports/domain-store';

export interface SigningDomain {
  domain: string;
  selector: string;
  key: KeyObject;
}

const MAX_KEYS = 1_000;

/**
 * Signing keys by domain id, each parsed once. Parsing takes longer than signing, and the first signature with a new
 * key takes twice as long.
 */
export class DomainKeys {
  /** Holds promises, so that the first mails of a domain, which arrive together, share one read. */
  private readonly keys = new LRUCache<number, Promise<SigningDomain>>({ max: MAX_KEYS });

  constructor(
    private readonly domains: Pick<DomainStore, 'get'>,
    private readonly keyring: Keyring,
  ) {}

  /** Rejects when the domain does not exist or its key is not valid. Nothing is ever sent unsigned. */
  get(domainId: number): Promise<SigningDomain> {
    const known = this.keys.get(domainId);
    if (known) return known;
    const reading = this.read(domainId);
    this.keys.set(domainId, reading);
    // Forget the failure: the next try may succeed.
    reading.catch(() => this.keys.peek(domainId) === reading && this.keys.delete(domainId));
    return reading;
  }

  private async read(domainId: number): Promise<SigningDomain> {
    const domain = await this.domains.get(domainId);
    if (!domain) throw new Error(`sending domain ${domainId} does not exist`);
    const key = loadDkimKey(this.keyring.open(domain.dkimKeySealed, dkimContext(domain.domain)));
    return { domain: domain.domain, selector: domain.dkimSelector, key };
  }
}
