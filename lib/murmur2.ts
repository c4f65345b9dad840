const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/** 32-bit MurmurHash2 as in org.apache.kafka.common.utils.Utils, as a signed integer. */
export function murmur2(data: Buffer): number {
  let hash = SEED ^ data.length;
  const whole = data.length - (data.length % 4);
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(data.readInt32LE(at), M);
    word = Math.imul(word ^ (word >>> 24), M);
    hash = Math.imul(hash, M) ^ word;
  }
  const rest = data.subarray(whole);
  if (rest.length > 0) {
    for (const [at, byte] of rest.entries()) hash ^= byte << (8 * at);
    hash = Math.imul(hash, M);
  }
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}
