import { describe, expect, it } from '@jest/globals';
import { describeDifference, differencesOf, isHarmless, topicPlan } from '../../../../streams/drivers/kafka/topic-plan';
import { evenCounts, Partitions } from '../../../../streams/partitions';
import { TOPIC_NAMES } from '../../../../streams/topics';

const EIGHT = new Partitions(evenCounts(8));

const coins = topicPlan('kurir.', EIGHT).find(({ topic }) => topic === 'coins.entries')!;

describe('topicPlan', () => {
  it('names every topic under the prefix, with its partitions, and leaves deletion to the log', () => {
    const plan = topicPlan('kurir.', EIGHT);
    expect(plan.map(({ name }) => name)).toEqual([...TOPIC_NAMES, 'installation'].map((topic) => `kurir.${topic}`));
    expect(plan.map(({ partitions }) => partitions)).toEqual([...TOPIC_NAMES.map(() => 8), 1]);
    expect(plan.every(({ configs }) => configs.get('retention.ms') === '-1')).toBe(true);
  });
});

describe('differencesOf', () => {
  it('is nothing for a topic as planned, whatever else is configured', () => {
    const configs = new Map([...coins.configs, ['compression.type', 'producer']]);
    expect(differencesOf(coins, { partitions: coins.partitions, configs })).toEqual([]);
  });

  it('is one thing for a topic that is missing', () => {
    expect(differencesOf(coins, null)).toEqual([{ name: 'kurir.coins.entries', kind: 'missing' }]);
  });

  it('names partitions and each config with what is and what should be', () => {
    const configs = new Map([...coins.configs, ['retention.ms', '604800000'], ['cleanup.policy', 'compact']]);
    expect(differencesOf(coins, { partitions: 4, configs })).toEqual([
      { name: coins.name, kind: 'partitions', found: 4, expected: 8 },
      { name: coins.name, kind: 'config', config: 'cleanup.policy', found: 'compact', expected: 'delete' },
      { name: coins.name, kind: 'config', config: 'retention.ms', found: '604800000', expected: '-1' },
    ]);
  });
});

it('more partitions than planned do no harm; fewer do', () => {
  const differing = (partitions: number) => differencesOf(coins, { partitions, configs: coins.configs });
  expect(differing(12)).toEqual([{ name: coins.name, kind: 'grown', found: 12, expected: 8 }]);
  expect([...differing(12), ...differing(7)].map(isHarmless)).toEqual([true, false]);
  expect(differing(12).map(describeDifference)[0]).toContain('Kurir uses the first 8');
});

describe('describeDifference', () => {
  it('says which topic, what is, what should be and what to do', () => {
    const configs = new Map([...coins.configs, ['retention.ms', '604800000']]);
    const [partitions, config] = differencesOf(coins, { partitions: 4, configs }).map(describeDifference);
    expect(partitions).toMatch(/^Topic kurir\.coins\.entries has 4 partitions, but should have 8\. .*delete the topic/);
    expect(config).toContain('--entity-name kurir.coins.entries --add-config retention.ms=-1');
    expect(describeDifference({ name: 'kurir.x', kind: 'missing' })).toContain('does not exist');
  });
});
