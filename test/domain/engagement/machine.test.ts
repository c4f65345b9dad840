import { describe, expect, it } from '@jest/globals';
import {
  isAtDelivery,
  reasonOfRequest,
  reasonsOfNeighbours,
  strongest,
  windowsAround,
} from '../../../domain/engagement/machine';
import type { HitFacts, PlacedHit } from '../../../domain/engagement/machine';

const facts: HitFacts = { method: 'GET', agent: null, network: null, client: null };
const click = (id: string, at: number, link: number | null): PlacedHit => ({
  id,
  kind: 'click',
  at,
  link,
  client: null,
  machine: null,
});

describe('what a request tells', () => {
  it.each([
    ['nothing', {}, null],
    ['HEAD', { method: 'HEAD' }, 'head'],
    ['the agent of a scanner', { agent: 'scanner' }, 'agent'],
    ['the network of a scanner', { network: 'scanner' }, 'network'],
    ['an agent that prefetches', { agent: 'prefetch' }, 'prefetch'],
    ['a proxy through which a person opens', { agent: 'proxy' }, null],
    ['a proxy that asks with HEAD', { agent: 'proxy', method: 'HEAD' }, 'head'],
  ] as const)('%s', (_what, change, reason) => {
    expect(reasonOfRequest('open', { ...facts, ...change })).toBe(reason);
    expect(reasonOfRequest('click', { ...facts, ...change })).toBe(reason);
  });

  it('an unsubscribe is always that of a person', () => {
    expect(reasonOfRequest('unsubscribe', { ...facts, method: 'POST', agent: 'scanner' })).toBeNull();
  });
});

describe('the time of the delivery report', () => {
  it.each([
    [-2_001, false],
    [-2_000, true],
    [0, true],
    [2_000, true],
    [2_001, false],
  ])('%s ms from it: a machine is %s', (ms, expected) => {
    expect(isAtDelivery(1_000_000 + ms, 1_000_000)).toBe(expected);
  });
});

describe('three different links', () => {
  it('within exactly one second are a burst, whatever their order', () => {
    const hits = [click('c', 1_000, 2), click('a', 0, 0), click('b', 400, 1)];
    expect([...reasonsOfNeighbours(hits).keys()].sort()).toEqual(['a', 'b', 'c']);
  });

  it('need a known place each', () => {
    expect(reasonsOfNeighbours([click('a', 0, 0), click('b', 0, 1), click('c', 0, null)]).size).toBe(0);
  });

  it('flag each click of every such second, and none outside', () => {
    const hits = [
      click('a', 0, 0),
      click('b', 900, 1),
      click('c', 1_000, 2),
      click('d', 1_900, 0),
      click('e', 2_901, 1),
    ];
    expect([...reasonsOfNeighbours(hits).keys()].sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('change nothing that has a stronger reason', () => {
    const hits = [click('a', 0, 0), click('b', 0, 1), { ...click('c', 0, 2), machine: 'head' as const }];
    expect([...reasonsOfNeighbours(hits)]).toEqual([
      ['a', 'burst'],
      ['b', 'burst'],
    ]);
  });
});

describe('reasons', () => {
  it('the stronger one stays, whichever was found first', () => {
    expect(strongest('delivery', 'hidden_link')).toBe('hidden_link');
    expect(strongest('hidden_link', 'delivery')).toBe('hidden_link');
    expect(strongest(null, 'burst')).toBe('burst');
    expect(strongest(null, null)).toBeNull();
  });

  it('a new hit is compared with those that it may show to be a machine', () => {
    expect(windowsAround({ kind: 'click', at: 50_000 })).toEqual([
      { kind: 'click', from: 49_000, to: 51_000 },
      { kind: 'hidden', from: 40_000, to: 60_000 },
    ]);
    expect(windowsAround({ kind: 'unsubscribe', at: 50_000 })).toEqual([]);
  });
});
