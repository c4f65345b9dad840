import { expect, it } from '@jest/globals';
import { describeOnEngines } from '../support/engines';
import { fuzz } from './play';

const REQUESTS = 600;

describeOnEngines('random requests of every documented operation', (install) => {
  // spec: docs/contract.md#answers: contract as OpenAPI 3.1
  it('no 5xx, and every answer keeps the document', async () => {
    const counts = await fuzz(install(), { seed: 20_260_922, requests: REQUESTS });
    const statuses = new Set([...counts.values()].flatMap((byStatus) => [...byStatus.keys()]));
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 401, 403, 404, 405, 422]));
    expect(counts.size).toBeGreaterThan(20);
  });
});
