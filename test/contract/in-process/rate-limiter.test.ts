import { inProcessRateLimiter } from '../../../api/rate-limit/in-process-rate-limiter';
import { describeRateLimiter } from '../rate-limiter.suite';

describeRateLimiter(async (clock, limit) => ({
  limiter: inProcessRateLimiter(clock, limit),
  close: async () => undefined,
}));
