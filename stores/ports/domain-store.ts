import type { DomainStatus, SendingDomain } from '../../domain/sending-domain';

/** Sending domains. A name belongs to at most one workspace. */
export interface DomainStore {
  /** Rejects with DuplicateError if the name is taken. */
  create(domain: Omit<SendingDomain, 'id'>): Promise<SendingDomain>;
  get(id: number): Promise<SendingDomain | null>;
  findByName(domain: string): Promise<SendingDomain | null>;
  /** Alphabetical by name (docs/contract.md#sending-domains). */
  list(workspaceId: number): Promise<SendingDomain[]>;
  setStatus(id: number, status: DomainStatus): Promise<SendingDomain | null>;
}
