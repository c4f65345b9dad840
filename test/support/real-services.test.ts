import { describe, expect, it } from '@jest/globals';
import { findServices } from './find-services';
import { uniqueName } from './real-services';
import { findUrls, MISSING } from './server-urls';

const ALL = {
  KAFKA_BROKERS: '127.0.0.1:1,127.0.0.1:2',
  MONGODB_URL: 'mongodb://127.0.0.1:3',
  REDIS_URL: 'redis://127.0.0.1:4',
};

describe('the servers of a test run', () => {
  it('are those of the environment, and then nothing is started', async () => {
    expect(await findServices(ALL)).toEqual({});
    expect(await findServices({ MONGODB_URL: ALL.MONGODB_URL })).toEqual({});
    expect(findUrls(['kafka', 'mongodb', 'redis'], ALL, () => true)).toEqual({
      kafka: '127.0.0.1:1,127.0.0.1:2',
      mongodb: 'mongodb://127.0.0.1:3',
      redis: 'redis://127.0.0.1:4',
    });
  });

  it('may be a part of them: what needs no more runs, the rest names what is missing', () => {
    const env = { MONGODB_URL: ALL.MONGODB_URL, REDIS_URL: '' };
    expect(findUrls(['mongodb'], env)).toEqual({ mongodb: ALL.MONGODB_URL });
    expect(findUrls(['kafka', 'mongodb', 'redis'], env)).toBe('not set: KAFKA_BROKERS, REDIS_URL');
  });

  it('or the reason why there are none, or why Kafka cannot be used', () => {
    expect(findUrls(['redis'], { [MISSING]: 'no Docker' })).toBe('no Docker');
    expect(findUrls(['kafka'], ALL, () => false)).toBe('node-rdkafka is not built: npm run native');
    expect(findUrls(['redis'], ALL, () => false)).toEqual({ redis: ALL.REDIS_URL });
  });

  it('are shared, under names of their own', () => {
    expect(uniqueName()).toMatch(/^kurir_test_[0-9a-f]{12}$/);
    expect(uniqueName()).not.toBe(uniqueName());
  });
});
