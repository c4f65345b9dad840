import { alarmId, type AlarmKind } from '../../domain/alarms/alarm';
import type { DirectoryEntry } from '../../domain/people/directory';
import type { DirectoryStore } from '../../stores/ports/directory-store';

const PAGE = 200;

/** The alarms that stand, and those that ended lately, in the order of their ids. */
export const listAlarms = (directory: Pick<DirectoryStore, 'list'>, now: number): Promise<DirectoryEntry<'alarm'>[]> =>
  readAll(directory, 'alarm', '', now);

/** Those of a kind. */
export const alarmsOfKind = (
  directory: Pick<DirectoryStore, 'list'>,
  kind: AlarmKind,
  now: number,
): Promise<DirectoryEntry<'alarm'>[]> => readAll(directory, 'alarm', alarmId({ kind, subject: '' }), now);

/** What was said and is kept, in the order of ids. */
export const listNotices = (
  directory: Pick<DirectoryStore, 'list'>,
  now: number,
): Promise<DirectoryEntry<'alarm_notice'>[]> => readAll(directory, 'alarm_notice', '', now);

/** The entries whose id begins with `prefix`. */
async function readAll<K extends 'alarm' | 'alarm_notice'>(
  directory: Pick<DirectoryStore, 'list'>,
  kind: K,
  prefix: string,
  now: number,
): Promise<DirectoryEntry<K>[]> {
  const found: DirectoryEntry<K>[] = [];
  for (let after = prefix; ;) {
    const page = await directory.list(kind, {}, { after, limit: PAGE, now });
    const own = page.filter(({ id }) => id.startsWith(prefix));
    found.push(...own);
    if (own.length < PAGE) return found;
    after = own.at(-1)!.id;
  }
}
