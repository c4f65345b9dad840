import { clearedPace, stateSetBack } from '../../domain/destinations/set-back';
import type { DirectoryBodies, DirectoryEntry, DirectoryKind } from '../../domain/people/directory';
import { warmupSetBack } from '../../domain/warmup/warmup-state';
import type { DirectoryStore } from '../../stores/ports/directory-store';
import { challengeSetBack } from '../people/challenges';
import { sessionSetBack } from '../people/sessions';
import { attemptsSetBack } from '../people/attempts';
import { ticketSetBack } from '../people/tickets';

type Changed<K extends DirectoryKind> = Pick<DirectoryEntry<K>, 'expiresAt'> & { body: DirectoryBodies[K] };
/** The entry as a right clock would have it; null when it is right. */
type SetBack<K extends DirectoryKind> = (entry: DirectoryEntry<K>, now: number) => Changed<K> | null;

const PAGE = 500;

const kept =
  <K extends DirectoryKind>(change: (body: DirectoryBodies[K], now: number) => DirectoryBodies[K] | null): SetBack<K> =>
  ({ body, expiresAt }, now) => {
    const changed = change(body, now);
    return changed && { body: changed, expiresAt };
  };

const KINDS: { readonly [K in DirectoryKind]?: SetBack<K> } = {
  session: sessionSetBack,
  ticket: ticketSetBack,
  challenge: challengeSetBack,
  attempts: attemptsSetBack,
  destination: kept(stateSetBack),
  destination_pace: kept(clearedPace),
  warmup_state: kept(warmupSetBack),
  alarm_turn: kept((body, now) => (body.at > now ? { ...body, at: now } : null)),
  import: kept((body, now) => (body.saidAt > now ? { ...body, saidAt: now } : null)),
};

/**
 * Sets back what a clock that was ahead has written into the directory: sessions, links and waits end in time, and
 * paces, warm-ups and looks for alarms go on from now. Returns how many entries changed; one that changes meanwhile is
 * left.
 */
export async function settleEntries(directory: Pick<DirectoryStore, 'list' | 'change'>, now: number): Promise<number> {
  let settled = 0;
  for (const kind of Object.keys(KINDS) as DirectoryKind[]) settled += await settleKind(directory, kind, now);
  return settled;
}

async function settleKind<K extends DirectoryKind>(
  directory: Pick<DirectoryStore, 'list' | 'change'>,
  kind: K,
  now: number,
): Promise<number> {
  const setBack = KINDS[kind];
  if (!setBack) return 0;
  let settled = 0;
  for (let after = ''; ;) {
    const page = await directory.list(kind, {}, { after, limit: PAGE, now });
    for (const entry of page) {
      const changed = setBack(entry, now);
      if (changed && (await directory.change({ ...entry, ...changed }))) settled += 1;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return settled;
    after = last.id;
  }
}
