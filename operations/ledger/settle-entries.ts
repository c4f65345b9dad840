import { clearedPace, stateSetBack } from '../../domain/destinations/set-back';
import type { RecordBodies, RecordEntry, RecordKind } from '../../domain/people/records';
import { warmupSetBack } from '../../domain/warmup/warmup-state';
import type { RecordStore } from '../../stores/ports/record-store';
import { challengeSetBack } from '../people/challenges';
import { sessionSetBack } from '../people/sessions';
import { attemptsSetBack } from '../people/attempts';
import { ticketSetBack } from '../people/tickets';

type Changed<K extends RecordKind> = Pick<RecordEntry<K>, 'expiresAt'> & { body: RecordBodies[K] };
/** The entry as a right clock would have it; null when it is right. */
type SetBack<K extends RecordKind> = (entry: RecordEntry<K>, now: number) => Changed<K> | null;

const PAGE = 500;

const kept =
  <K extends RecordKind>(change: (body: RecordBodies[K], now: number) => RecordBodies[K] | null): SetBack<K> =>
  ({ body, expiresAt }, now) => {
    const changed = change(body, now);
    return changed && { body: changed, expiresAt };
  };

const KINDS: { readonly [K in RecordKind]?: SetBack<K> } = {
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
 * Sets back what a clock that was ahead has written into the record store: sessions, links and waits end in time, and
 * paces, warm-ups and looks for alarms go on from now. Returns how many entries changed; one that changes meanwhile is
 * left.
 */
export async function settleEntries(records: Pick<RecordStore, 'list' | 'change'>, now: number): Promise<number> {
  let settled = 0;
  for (const kind of Object.keys(KINDS) as RecordKind[]) settled += await settleKind(records, kind, now);
  return settled;
}

async function settleKind<K extends RecordKind>(
  records: Pick<RecordStore, 'list' | 'change'>,
  kind: K,
  now: number,
): Promise<number> {
  const setBack = KINDS[kind];
  if (!setBack) return 0;
  let settled = 0;
  for (let after = ''; ;) {
    const page = await records.list(kind, {}, { after, limit: PAGE, now });
    for (const entry of page) {
      const changed = setBack(entry, now);
      if (changed && (await records.change({ ...entry, ...changed }))) settled += 1;
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return settled;
    after = last.id;
  }
}
