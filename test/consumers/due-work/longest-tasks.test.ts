import { expect, it } from '@jest/globals';
import { LONGEST_TASKS } from '../../../schemas/due-work/table';
import { MAX_POSTS, nextPostAt } from '../../../domain/journeys/journey-post';
import { MAX_ATTEMPTS, nextAttemptAt } from '../../../domain/webhooks/webhook-delivery';

// spec: docs/contract.md#journey-webhook-step: a restart brings no attempt forward
it.each([
  ['webhook', MAX_ATTEMPTS, nextAttemptAt],
  ['journey-post', MAX_POSTS, nextPostAt],
] as const)('the longest wait of %s is no shorter than that to any of its attempts', (kind, most, nextAt) => {
  for (let attempt = 1; attempt <= most; attempt += 1)
    expect(nextAt(attempt, 0)).toBeLessThanOrEqual(LONGEST_TASKS[kind]!);
});
