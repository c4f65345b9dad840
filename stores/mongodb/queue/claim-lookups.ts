import { campaignTurn, type CampaignTurn } from '../../../domain/campaigns/campaign-run';
import type { ContactStatus } from '../../../domain/contacts/contact';
import { refusalReason } from '../../../domain/queue/claim';
import type { ClaimRequest } from '../../ports/send-queue';
import type { Mongo } from '../database/client';
import { documents, type MessageDocument } from '../database/documents';
import { GLOBAL } from '../contacts/suppression-store';

const CANDIDATE = {
  contactId: 1,
  domainId: 1,
  campaignId: 1,
  category: 1,
  attempt: 1,
  firstClaimedAt: 1,
  attachmentsUntil: 1,
} as const;
/** A message whose turn has come. */
export type Candidate = Pick<MessageDocument, '_id' | keyof typeof CANDIDATE>;

/** The facts that a claim checks before it decides. */
export interface ClaimLookups {
  candidates: Candidate[];
  balance: number;
  /** What the candidate's campaign says about its turn. */
  turn(candidate: Candidate): CampaignTurn;
  /** Why the candidate may not be sent, or null. */
  refusal(candidate: Candidate, coinLeft: boolean): string | null;
}

/**
 * Reads the facts that a claim decides on, outside its transaction. What the claim takes (turn, attempt, coins, lease)
 * is checked again by its writes. Everything else counts as of this moment, which is within the call.
 */
export async function lookUpClaim(mongo: Mongo, request: ClaimRequest): Promise<ClaimLookups> {
  const { db } = mongo;
  const { workspaceId } = request;
  const [candidates, workspace, account] = await Promise.all([
    readCandidates(mongo, request),
    documents(db, 'workspaces').findOne({ _id: workspaceId }, { projection: { suspended: 1 } }),
    documents(db, 'accounts').findOne({ _id: workspaceId }, { projection: { balance: 1 } }),
  ]);
  const [contacts, active, turns] = await Promise.all([
    readContacts(mongo, candidates),
    readActiveDomains(mongo, candidates),
    request.lane === 'campaign' ? readTurns(mongo, candidates) : new Map<number, CampaignTurn>(),
  ]);
  const listed = await readListed(mongo, workspaceId, contacts);
  return {
    candidates,
    balance: account?.balance ?? 0,
    turn: ({ campaignId }) => (campaignId === null ? undefined : turns.get(campaignId)) ?? 'take',
    refusal: ({ contactId, domainId, category = null }, coinLeft) => {
      const contact = contacts.get(contactId);
      return refusalReason({
        domainActive: () => active.has(domainId),
        workspaceSuspended: workspace?.suspended ?? true,
        category,
        contactStatus: contact?.status ?? null,
        listed: () => contact !== undefined && listed.has(contact.emailHash),
        coinLeft,
      });
    },
  };
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

async function readCandidates({ db }: Mongo, { workspaceId, lane, now, limit }: ClaimRequest): Promise<Candidate[]> {
  if (limit <= 0) return [];
  return documents(db, 'messages')
    .find({ status: 'queued', workspaceId, lane, dueAt: { $lte: now } }, { projection: CANDIDATE })
    .sort({ dueAt: 1, _id: 1 })
    .limit(limit)
    .hint('messages_queued')
    .toArray();
}

interface ContactState {
  status: ContactStatus;
  emailHash: string;
}

async function readContacts({ db }: Mongo, candidates: readonly Candidate[]): Promise<Map<number, ContactState>> {
  if (candidates.length === 0) return new Map();
  const found = await documents(db, 'contacts')
    .find(
      { _id: { $in: unique(candidates.map(({ contactId }) => contactId)) } },
      { projection: { status: 1, emailHash: 1 } },
    )
    .toArray();
  return new Map(found.map(({ _id: id, status, emailHash }) => [id, { status, emailHash }]));
}

async function readActiveDomains({ db }: Mongo, candidates: readonly Candidate[]): Promise<Set<number>> {
  if (candidates.length === 0) return new Set();
  const found = await documents(db, 'domains')
    .find({ _id: { $in: unique(candidates.map(({ domainId }) => domainId)) } }, { projection: { status: 1 } })
    .toArray();
  return new Set(found.flatMap(({ _id: id, status }) => (status === 'active' ? [id] : [])));
}

async function readTurns({ db }: Mongo, candidates: readonly Candidate[]): Promise<Map<number, CampaignTurn>> {
  const ids = unique(candidates.flatMap(({ campaignId }) => campaignId ?? []));
  if (ids.length === 0) return new Map();
  const found = await documents(db, 'campaigns')
    .find({ _id: { $in: ids } }, { projection: { status: 1, cancelledAt: 1 } })
    .toArray();
  return new Map(found.map((campaign) => [campaign._id, campaignTurn(campaign)]));
}

async function readListed(
  { db }: Mongo,
  workspaceId: number,
  contacts: ReadonlyMap<number, ContactState>,
): Promise<Set<string>> {
  if (contacts.size === 0) return new Set();
  const hashes = unique([...contacts.values()].map(({ emailHash }) => emailHash));
  const found = await documents(db, 'suppressions')
    .find(
      { workspaceId: { $in: [GLOBAL, workspaceId] }, addressHash: { $in: hashes } },
      { projection: { _id: 0, addressHash: 1 } },
    )
    .toArray();
  return new Set(found.map(({ addressHash }) => addressHash));
}
