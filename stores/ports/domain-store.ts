import type { DkimKeys } from '../../domain/settings/dkim-rotation';
import type { DomainMail, DomainStatus, SendingDomain } from '../../domain/settings/sending-domain';

type Default = keyof DomainMail | 'dkimPending' | 'dkimRetired';
/** Without a category it is one for marketing. */
export type NewDomain = Omit<SendingDomain, 'id' | Default> & Partial<Pick<SendingDomain, Default>>;

/** Sending domains. A name belongs to at most one workspace. */
export interface DomainStore {
  /** Rejects with DuplicateError if the name is taken. */
  create(domain: NewDomain): Promise<SendingDomain>;
  get(id: number): Promise<SendingDomain | null>;
  findByName(domain: string): Promise<SendingDomain | null>;
  /** Alphabetical by name (docs/contract.md#sending-domains). */
  list(workspaceId: number): Promise<SendingDomain[]>;
  /** The domains of all workspaces in the order of ids, after id `after`, at most `limit`. */
  page(after: number, limit: number): Promise<SendingDomain[]>;
  setStatus(id: number, status: DomainStatus): Promise<SendingDomain | null>;
  /** What its mail is from now on; mail that was accepted before stays what it was. */
  setMail(id: number, mail: DomainMail): Promise<SendingDomain | null>;
  /**
   * Replaces the keys if the domain still signs with the key that `seen` signs with, and has the same pending one. Null
   * if not: another rotation was faster, or the domain does not exist.
   */
  setDkim(seen: SendingDomain, keys: DkimKeys): Promise<SendingDomain | null>;
}
