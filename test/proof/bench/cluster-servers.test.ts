import { describe, expect, it } from '@jest/globals';
import { clusterServers } from '../../../proof/bench/cluster-servers';

describe('the servers of the cluster benches', () => {
  const env = { KAFKA_BROKERS: 'localhost:9092', MONGODB_URL: 'mongodb://localhost', REDIS_URL: 'redis://localhost' };

  it('are those of the environment', () => {
    expect(clusterServers(env)).toEqual({
      kafka: 'localhost:9092',
      mongodb: 'mongodb://localhost',
      redis: 'redis://localhost',
    });
  });

  it('are asked for by name when they are missing', () => {
    expect(() => clusterServers({ ...env, MONGODB_URL: '', REDIS_URL: undefined })).toThrow(
      'set MONGODB_URL, REDIS_URL to their addresses',
    );
  });
});
