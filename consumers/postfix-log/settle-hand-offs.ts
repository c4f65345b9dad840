import type { Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { Outcome } from '../../domain/messages/lifecycle';
import { shownAsNotTaken, shownAsTaken, staysUnknown } from '../../domain/messages/log-settled';
import type { Message } from '../../domain/messages/message';
import type { LogEvidence } from '../../domain/postfix/log-evidence';
import type { Stores } from '../../stores/ports';
import type { Deadlines } from '../../stores/ports/deadlines';
import { decideWith } from '../outcome-change';

const PAGE = 1_000;
const AT_ONCE = 20;

export interface SettleDeps {
  stores: Pick<Stores, 'deadlines' | 'messages'>;
  clock: Clock;
  evidenceWait: number;
  logger: Pick<Logger, 'warn' | 'info'>;
  /** Messages read at once. */
  page?: number;
}

/**
 * Settles hand-offs whose outcome is unknown by what the log shows. `leases` are those of the processes that hand over
 * to the server of this log: it says nothing about mails of others. `readTo`: the log was read to its end then, ms.
 */
export async function settleHandOffs(
  { stores: { deadlines, messages }, clock, evidenceWait, logger, page = PAGE }: SettleDeps,
  evidence: LogEvidence,
  leases: ReadonlySet<string>,
  readTo: number,
): Promise<void> {
  const decide = (message: Message): Outcome | null => {
    const { fence, fencedAt } = message;
    if (fence === null || fencedAt === null || !leases.has(fence.slice(0, fence.lastIndexOf('.')))) return null;
    switch (evidence.judge(message.id, fencedAt, readTo, (message.thread?.messageId ?? null) !== null)) {
      case 'taken':
        return shownAsTaken(message, fence, clock.now(), evidenceWait);
      case 'not_taken':
        return shownAsNotTaken(message, fence, clock.now());
      case 'unclear':
        return fencedAt < evidence.completeSince ? staysUnknown(message, fence, clock.now(), evidenceWait) : null;
    }
  };
  const settle = async (messageId: string): Promise<void> => {
    const { applied, message } = await messages.change(messageId, decideWith(decide));
    if (!applied || message?.unknown !== false) return;
    const { status } = message;
    logger.info({ messageId, status }, 'the log of the sending server settled a hand-off without a response');
  };
  for await (const ids of undecided(deadlines, page)) {
    for (let from = 0; from < ids.length; from += AT_ONCE)
      await Promise.all(ids.slice(from, from + AT_ONCE).map(settle));
  }
}

/** All of them in pages. Those of one millisecond that fill a page wait for the next look. */
async function* undecided({ unknown }: Pick<Deadlines, 'unknown'>, limit: number): AsyncGenerator<string[]> {
  let seen = new Set<string>();
  for (let dueFrom = 0; ;) {
    const page = await unknown(dueFrom, limit);
    yield page.map(({ messageId }) => messageId).filter((id) => !seen.has(id));
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    dueFrom = last.dueAt > dueFrom ? last.dueAt : dueFrom + 1;
    seen = new Set(page.map(({ messageId }) => messageId));
  }
}
