import { openShared } from '../../support/shared-limiter';
import { describeOn, uniqueName } from '../../support/real-services';
import { describeRateLimiter } from '../rate-limiter.suite';

describeOn(['redis'], 'on Redis', ({ redis }) => {
  describeRateLimiter(async (clock, limit) => {
    const { limiter } = await openShared({ url: redis, clock, limit, prefix: uniqueName() });
    return { limiter, close: async () => limiter.close() };
  });
});
