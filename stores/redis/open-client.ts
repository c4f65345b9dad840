import { Redis, type RedisOptions } from 'ioredis';

/** Maximum delay between two attempts to connect, ms. */
const RECONNECT_AT_MOST = 1_000;

const OPTIONS = {
  // Do not queue commands while the server is away, and do not repeat them later: their callers no longer wait.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2_000,
  // A frozen server keeps its connections open: give up a connection that is silent for this long.
  socketTimeout: 2_000,
  disconnectTimeout: 200,
  retryStrategy: (attempt) => Math.min(attempt * 50, RECONNECT_AT_MOST),
} as const satisfies RedisOptions;

/** Counts a request. Returns its number in the window and when the window began (ms). */
export interface CountingRedis extends Redis {
  countRequest(key: string, now: number, windowMs: number): Promise<[count: number, startedAt: number]>;
}

/**
 * A window is a hash that stores its start by the clock of the process that began it. It expires by Redis's own time,
 * so a process with a wrong clock cannot keep a window open, and no key is left behind.
 */
const COUNT_REQUEST = `
local now, length = tonumber(ARGV[1]), tonumber(ARGV[2])
local started = tonumber(redis.call('HGET', KEYS[1], 'started'))
if started and now < started + length then
  return {redis.call('HINCRBY', KEYS[1], 'count', 1), started}
end
redis.call('HSET', KEYS[1], 'started', ARGV[1], 'count', 1)
redis.call('PEXPIRE', KEYS[1], length)
return {1, now}
`;

/** Connects to redis:// or rediss:// (TLS) in the background and keeps retrying forever. */
export function openClient(url: string): CountingRedis {
  const redis = new Redis(url, OPTIONS);
  redis.defineCommand('countRequest', { numberOfKeys: 1, lua: COUNT_REQUEST });
  return redis as CountingRedis;
}
