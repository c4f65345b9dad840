import { createHash } from 'node:crypto';

/**
 * A UUIDv7 of the time `at` (ms) that the same text always gives, so that work that is repeated after a crash makes
 * nothing twice.
 */
export function derivedId(at: number, text: string): string {
  const hash = createHash('sha256').update(text).digest();
  // 12 bits follow the version, 62 the variant.
  const high = (BigInt(at) << 16n) | (7n << 12n) | BigInt.asUintN(12, hash.readBigUInt64BE(8));
  const rest = (2n << 62n) | BigInt.asUintN(62, hash.readBigUInt64BE());
  const hex = high.toString(16).padStart(16, '0') + rest.toString(16).padStart(16, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The least id of the time `at` (ms): ids made later are greater. */
export const firstIdOf = (at: number): string => {
  const hex = at.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/** When an id was made, ms. */
export const timeOfId = (id: string): number => parseInt(id.replace('-', '').slice(0, 12), 16);
