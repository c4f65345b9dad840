import { Redis } from 'ioredis';
import type { AddressSearch } from '../../domain/address-search';
import { UnavailableError } from '../../lib/errors';
import type { PersonalDataSource } from '../ports/personal-data';
import { describeFault } from './describe-fault';

const PAGE = 500;
const ANSWER = 10_000;

/** What Redis holds of this installation: names of keys and whatever is in them. Throws UnavailableError when it does not answer. */
export async function openRedisPersonalData(url: string, prefix = 'kurir:'): Promise<PersonalDataSource> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    connectTimeout: ANSWER,
    commandTimeout: ANSWER,
  });
  // What is wrong is told by the command that needs it.
  redis.on('error', () => undefined);
  const asking = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new UnavailableError(`Redis cannot be looked through: ${describeFault(error).reason}`, { cause: error });
    }
  };
  await asking(() => redis.connect());
  return {
    async *find(search, onLooked) {
      let looked = 0;
      for (let cursor = ''; cursor !== '0';) {
        const [next, keys] = await asking(() => redis.scan(cursor || '0', 'MATCH', `${prefix}*`, 'COUNT', PAGE));
        for (const key of keys) {
          const fields = await fieldsOf(search, redis, key, asking);
          for (const field of fields) yield { kind: 'redis', workspaceId: null, id: key, field };
        }
        onLooked((looked += keys.length));
        cursor = next;
      }
    },
    close: async () => redis.disconnect(),
  };
}

/** A dump has the bytes of a value of whatever type; Redis packs long texts, but what it holds here is short. */
async function fieldsOf(
  search: AddressSearch,
  redis: Redis,
  key: string,
  asking: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<string[]> {
  // It may have expired since it was named.
  const value = (await asking(() => redis.dumpBuffer(key))) as Buffer | null;
  return [
    ...(search.inText(key) ? ['key'] : []),
    ...(value !== null && search.inField('value', value) ? ['value'] : []),
  ];
}
