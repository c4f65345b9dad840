import type { Db } from 'mongodb';
import { documents } from '../database/documents';

/** The ids of all contacts in ascending order, at most `size` at a time. May include contacts added meanwhile. */
export async function* contactSteps(db: Db, size: number): AsyncGenerator<number[]> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const step = await documents(db, 'contacts')
      .find({ _id: { $gt: after } }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(size)
      .toArray();
    const last = step.at(-1)?._id;
    if (last === undefined) return;
    yield step.map(({ _id }) => _id);
    after = last;
  }
}
