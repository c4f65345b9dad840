import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Keyring } from '../../domain/keyring';
import { dkimContext } from '../../domain/settings/sending-domain';
import { loadDkimKey } from '../../email/dkim-key';
import { SECOND } from '../../lib/clock';
import type { DomainStore } from '../../stores/ports/domain-store';

export interface SigningDomain {
  domain: string;
  selector: string;
  key: KeyObject;
}

interface Known {
  readAt: number;
  reading: Promise<SigningDomain & { sealed: string }>;
}

const MAX_KEYS = 1_000;
/** How long a key may sign before it is asked again whether it still is the domain's, ms. */
const KNOWN_FOR = 5 * SECOND;

/**
 * Signing keys by domain id, each parsed once. Parsing takes longer than signing, and the first signature with a new
 * key takes twice as long. After a rotation every process signs with the new key within KNOWN_FOR.
 */
export class DomainKeys {
  /** Holds promises, so that the mails of a domain that arrive together share one read. */
  private readonly keys = new LRUCache<number, Known>({ max: MAX_KEYS });

  constructor(
    private readonly domains: Pick<DomainStore, 'get'>,
    private readonly keyring: Keyring,
    private readonly realTime: () => number = () => performance.now(),
  ) {}

  /** Rejects when the domain does not exist or its key is not valid. Nothing is ever sent unsigned. */
  get(domainId: number): Promise<SigningDomain> {
    const now = this.realTime();
    const known = this.keys.get(domainId);
    if (known && now - known.readAt < KNOWN_FOR) return known.reading;
    const reading = this.read(domainId, known);
    this.keys.set(domainId, { readAt: now, reading });
    // Forget the failure: the next try may succeed.
    reading.catch(() => this.keys.peek(domainId)?.reading === reading && this.keys.delete(domainId));
    return reading;
  }

  private async read(domainId: number, known: Known | undefined): Known['reading'] {
    const [domain, last] = await Promise.all([this.domains.get(domainId), known?.reading.catch(() => null)]);
    if (!domain) throw new Error(`sending domain ${domainId} does not exist`);
    const sealed = domain.dkimKeySealed;
    if (last?.sealed === sealed) return last;
    const key = loadDkimKey(this.keyring.open(sealed, dkimContext(domain.domain)));
    return { domain: domain.domain, selector: domain.dkimSelector, key, sealed };
  }
}
