import { Redis } from 'ioredis';
import type { AddressSearch } from '../../domain/addresses/address-search';
import { UnavailableError } from '../../lib/errors';
import type { PersonalDataSource } from '../ports/personal-data';
import { describeFault } from './describe-fault';

const PAGE = 500;
/** Maximum wait for a connection or an answer, ms. */
const ANSWER_LIMIT = 10_000;

/**
 * The data of this installation in Redis: names of keys and their values. Throws UnavailableError if Redis does not
 * answer.
 */
export async function openRedisPersonalData(url: string, prefix = 'kurir:'): Promise<PersonalDataSource> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: null,
    connectTimeout: ANSWER_LIMIT,
    commandTimeout: ANSWER_LIMIT,
  });
  // Errors are reported by the command that fails.
  redis.on('error', () => undefined);
  const wrapErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new UnavailableError(`Redis cannot be searched: ${describeFault(error).reason}`, { cause: error });
    }
  };
  await wrapErrors(() => redis.connect());
  return {
    async *find(search, onProgress) {
      let searched = 0;
      for (let cursor = ''; cursor !== '0';) {
        const [next, keys] = await wrapErrors(() => redis.scan(cursor || '0', 'MATCH', `${prefix}*`, 'COUNT', PAGE));
        for (const key of keys) {
          const fields = await fieldsOf(search, redis, key, wrapErrors);
          for (const field of fields) yield { kind: 'redis', workspaceId: null, id: key, field };
        }
        onProgress((searched += keys.length));
        cursor = next;
      }
    },
    close: async () => redis.disconnect(),
  };
}

/**
 * A dump contains the bytes of a value of any type. Redis compresses long strings, but the values stored here are
 * short.
 */
async function fieldsOf(
  search: AddressSearch,
  redis: Redis,
  key: string,
  wrapErrors: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<string[]> {
  // The key may have expired since the scan.
  const value = (await wrapErrors(() => redis.dumpBuffer(key))) as Buffer | null;
  return [
    ...(search.inText(key) ? ['key'] : []),
    ...(value !== null && search.inField('value', value) ? ['value'] : []),
  ];
}
