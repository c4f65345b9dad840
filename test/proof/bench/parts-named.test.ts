import { describe, expect, it } from '@jest/globals';
import { partsNamed } from '../../../proof/bench/parts-named';

const PARTS = ['accept', 'cluster-dispatch', 'cluster-memory', 'clustering'];

describe('the parts of a bench run', () => {
  it('are those named, each once', () => {
    expect(partsNamed(['clustering', 'accept', 'accept'], PARTS)).toEqual(['clustering', 'accept']);
  });

  it('are all whose name begins with one that was named and a dash', () => {
    expect(partsNamed(['cluster', 'cluster-memory'], PARTS)).toEqual(['cluster-dispatch', 'cluster-memory']);
  });

  it('are refused with the name when there is none', () => {
    expect(() => partsNamed(['accept', 'acc'], PARTS)).toThrow('There is no part "acc".');
  });
});
