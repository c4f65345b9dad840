import { Semaphore } from './semaphore';

/** The results of all, in order, with at most `limit` under way. Rejects with the first error. */
export async function mapAtOnce<T, R>(items: readonly T[], limit: number, map: (item: T) => Promise<R>): Promise<R[]> {
  const slots = new Semaphore(limit);
  return Promise.all(
    items.map(async (item) => {
      await slots.acquire();
      try {
        return await map(item);
      } finally {
        slots.release();
      }
    }),
  );
}
