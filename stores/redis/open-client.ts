import { Redis, type RedisOptions } from 'ioredis';

/** Longest wait between two attempts to connect, ms. */
const RECONNECT_AT_MOST = 1_000;

const OPTIONS = {
  // Nothing waits for a server that is away, and nothing is done later that nobody waits for any more.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2_000,
  // A frozen server keeps its connections open: one that says nothing this long is given up.
  socketTimeout: 2_000,
  disconnectTimeout: 200,
  retryStrategy: (attempt) => Math.min(attempt * 50, RECONNECT_AT_MOST),
} as const satisfies RedisOptions;

/** Counts a request: its number in the window, and when the window began (ms). */
export interface CountingRedis extends Redis {
  countRequest(key: string, now: number, windowMs: number): Promise<[count: number, startedAt: number]>;
}

/**
 * A window is a hash that holds when it began, by the clock of the process that began it. Its expiry is Redis's own time: so no
 * process whose clock is wrong can keep a window open, and nothing stays behind.
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

/** Connects to redis:// or rediss:// (TLS) in the background, for ever. */
export function openClient(url: string): CountingRedis {
  const redis = new Redis(url, OPTIONS);
  redis.defineCommand('countRequest', { numberOfKeys: 1, lua: COUNT_REQUEST });
  return redis as CountingRedis;
}
