import { DAY, MINUTE } from '../../lib/clock';
import type { Message } from '../../domain/messages/message';
import type { ClaimResult } from '../../domain/queue/claim';
import type { ClaimRequest, ShardLease } from '../../stores/ports/send-queue';
import { acceptMessage, nextSerial, type AcceptanceOptions, type Sender } from '../support/builders';
import { TEST_START } from '../support/clock';
import type { Subject } from './harness';
import { at, inTurn, present } from './helpers';

/** How long a hand-off may take in these cases, ms. */
export const HAND_OFF = MINUTE;

/** The claimed message, read again. */
export type Claimed = Omit<Extract<ClaimResult, { kind: 'claimed' }>, 'claimed'> & { claimed: Message[] };

/** A day, `YYYY-MM-DD`, without claims so far. */
export const newDay = (): string => new Date(Date.UTC(2030, 0, 1) + nextSerial() * DAY).toISOString().slice(0, 10);

/** Takes a new shard, for longer than any case moves the clock. */
export async function holdShard(subject: Pick<Subject, 'stores'>, owner = 'owner'): Promise<ShardLease> {
  const name = `shard-${nextSerial()}`;
  const epoch = present(await subject.stores.leases.acquire(name, owner, TEST_START, 365 * DAY));
  return { name, owner, epoch };
}

export function claimRequest(
  lease: ShardLease,
  sender: Sender,
  overrides: Partial<Omit<ClaimRequest, 'lease'>> = {},
): ClaimRequest {
  const now = overrides.now ?? TEST_START;
  return {
    workspaceId: sender.workspace.id,
    lane: 'transactional',
    limit: 100,
    now,
    leaseUntil: now + HAND_OFF,
    lease,
    day: '2026-01-05',
    workspaceDayCap: null,
    platformDayCap: null,
    ...overrides,
  };
}

/** One claim for the sender under a valid lease. */
export async function claim(
  subject: Pick<Subject, 'stores'>,
  sender: Sender,
  overrides: Partial<Omit<ClaimRequest, 'lease'>> = {},
): Promise<Claimed> {
  const result = await subject.stores.queue.claim(claimRequest(await holdShard(subject), sender, overrides));
  if (result.kind !== 'claimed') throw new Error('the lease was fenced');
  const claimed = await inTurn(result.claimed.length, async (n) =>
    present(await subject.stores.messages.get(at(result.claimed, n))),
  );
  return { ...result, claimed };
}

/** Claims until the lane is empty; a driver may return early after many refusals. */
export async function claimAll(
  subject: Pick<Subject, 'stores'>,
  sender: Sender,
  overrides: Partial<Omit<ClaimRequest, 'lease'>> = {},
): Promise<Pick<Claimed, 'claimed' | 'refused'>> {
  const sum: Pick<Claimed, 'claimed' | 'refused'> = { claimed: [], refused: 0 };
  for (let round = 0; round < 100; round += 1) {
    const { claimed, refused, stop } = await claim(subject, sender, overrides);
    sum.claimed.push(...claimed);
    sum.refused += refused;
    if (stop === 'empty') return sum;
  }
  throw new Error('the lane never became empty');
}

/** Accepts messages one after the other. */
export const acceptMany = (
  subject: Pick<Subject, 'stores'>,
  sender: Sender,
  count: number,
  options: AcceptanceOptions = {},
): Promise<Message[]> => inTurn(count, () => acceptMessage(subject.stores, sender, options));

/** A message that was accepted and claimed. */
export async function acceptAndClaim(
  subject: Pick<Subject, 'stores'>,
  sender: Sender,
  options: AcceptanceOptions = {},
  overrides: Partial<Omit<ClaimRequest, 'lease'>> = {},
): Promise<Message> {
  await acceptMessage(subject.stores, sender, options);
  return at((await claim(subject, sender, overrides)).claimed, 0);
}

export const idsOf = (messages: readonly Pick<Message, 'id'>[]): string[] => messages.map(({ id }) => id);
