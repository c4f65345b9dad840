import { describe, expect, it } from '@jest/globals';
import {
  afterReply,
  expiryOf,
  factorNow,
  fullPaceAt,
  isStopped,
  NEW_DESTINATION,
  resumed,
  type DestinationState,
} from '../../../domain/destinations/destination-state';
import { DAY, MINUTE, SECOND } from '../../../lib/clock';
import { TEST_START as NOW } from '../../support/clock';

const why = (at: number) => ({ rule: 'too-fast', reply: '450 4.7.1 Too fast', messageId: 'm', at });
const slowedAt = (state: DestinationState, at: number, sentAt = at) =>
  afterReply(state, { rule: { do: 'slow', minutes: 30 }, why: why(at), sentAt });
const stoppedAt = (state: DestinationState, at: number, sentAt = at) =>
  afterReply(state, { rule: { do: 'stop', minutes: 120 }, why: why(at), sentAt });

describe('a reply that slows a destination down', () => {
  const slowed = slowedAt(NEW_DESTINATION, NOW)!;

  it('halves the pace for half an hour, and then it doubles until it is whole', () => {
    expect(factorNow(slowed, NOW)).toBe(0.5);
    expect(factorNow(slowed, NOW + 30 * MINUTE)).toBe(1);
    const twice = slowedAt(slowed, NOW + 2 * MINUTE)!;
    expect(factorNow(twice, NOW + 31 * MINUTE)).toBe(0.25);
    expect(factorNow(twice, NOW + 32 * MINUTE)).toBe(0.5);
    expect(factorNow(twice, NOW + 62 * MINUTE)).toBe(1);
    expect(fullPaceAt(twice)).toBe(NOW + 62 * MINUTE);
  });

  it('counts once in a storm: not for mails sent before it, nor within a minute', () => {
    expect(slowedAt(slowed, NOW + 59 * SECOND)).toBeNull();
    expect(slowedAt(slowed, NOW + 5 * MINUTE, NOW - 1)).toBeNull();
    expect(slowedAt(slowed, NOW + MINUTE)).not.toBeNull();
  });

  it('never slows it below a share', () => {
    let state = slowed;
    for (let n = 1; n < 20; n += 1) state = slowedAt(state, NOW + n * MINUTE)!;
    expect(factorNow(state, NOW + 19 * MINUTE)).toBe(1 / 32);
  });
});

describe('a reply that stops a destination', () => {
  const stopped = stoppedAt(NEW_DESTINATION, NOW)!;

  it('stops it for two hours, and then it begins at half the pace', () => {
    expect(isStopped(stopped, NOW + 120 * MINUTE - 1)).toBe(true);
    expect(isStopped(stopped, NOW + 120 * MINUTE)).toBe(false);
    expect(factorNow(stopped, NOW + 120 * MINUTE)).toBe(0.5);
    expect(fullPaceAt(stopped)).toBe(NOW + 150 * MINUTE);
    expect(expiryOf(stopped, NOW)).toBe(NOW + 150 * MINUTE + DAY);
  });

  it('stops one that is slow, and lasts no longer when it comes again meanwhile', () => {
    expect(isStopped(stoppedAt(slowedAt(NEW_DESTINATION, NOW)!, NOW + SECOND)!, NOW + MINUTE)).toBe(true);
    expect(stoppedAt(stopped, NOW + 5 * MINUTE)).toBeNull();
  });

  it('ends when an operator says so; what was under way stops it no more', () => {
    const free = resumed(stopped, NOW + 10 * MINUTE);
    expect(isStopped(free, NOW + 10 * MINUTE)).toBe(false);
    expect(factorNow(free, NOW + 10 * MINUTE)).toBe(1);
    expect(stoppedAt(free, NOW + 11 * MINUTE, NOW + 9 * MINUTE)).toBeNull();
    expect(stoppedAt(free, NOW + 13 * MINUTE, NOW + 12 * MINUTE)).not.toBeNull();
  });
});
