import type { RecordKind, RecordOwner } from '../../domain/records/record';
import type { RecordStore } from '../../stores/ports/record-store';
import { ALARM_TURNS } from '../alarms/list-alarms';
import { IMPORTS } from '../contacts/import-record';
import { DESTINATIONS, DESTINATION_PACES } from '../destinations/destination-states';
import { ATTEMPTS } from '../people/attempts';
import { CHALLENGES } from '../people/challenges';
import { SESSIONS } from '../people/sessions';
import { TICKETS } from '../people/tickets';
import { WARMUP_STATES } from '../warmup/warmups';

const PAGE = 500;

type Records = Pick<RecordStore, 'list' | 'replace'>;

const settle = <B>(kind: RecordKind<B, keyof RecordOwner>) => ({
  name: kind.name,
  run: async (records: Records, now: number): Promise<number> => {
    let settled = 0;
    for (let after = ''; ;) {
      const page = await records.list(kind, { after, limit: PAGE }, now);
      for (const entry of page) {
        const changed = kind.setBack?.(entry, now);
        if (changed && (await records.replace(kind, entry, changed, now))) settled += 1;
      }
      if (page.length < PAGE) return settled;
      after = page.at(-1)!.id;
    }
  },
});

/** The kinds with a rule for it. */
export const SET_BACK = [
  settle(SESSIONS),
  settle(TICKETS),
  settle(CHALLENGES),
  settle(ATTEMPTS),
  settle(DESTINATIONS),
  settle(DESTINATION_PACES),
  settle(WARMUP_STATES),
  settle(ALARM_TURNS),
  settle(IMPORTS),
];

/**
 * Sets back what a clock that was ahead has written into the record store: sessions, links and waits end in time, and
 * paces, warm-ups and looks for alarms go on from now. Returns how many entries changed; one that changes meanwhile is
 * left.
 */
export async function settleEntries(records: Records, now: number): Promise<number> {
  let settled = 0;
  for (const kind of SET_BACK) settled += await kind.run(records, now);
  return settled;
}
