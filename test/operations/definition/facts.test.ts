import { describe, expect, it } from '@jest/globals';
import { facts } from '../../../operations/definition';

describe('facts', () => {
  it('have the names of JSON, in the order asked for, and their times as the API writes them', () => {
    const of = { workspaceId: 3, createdAt: 1_767_582_000_000, endedAt: null, id: 1, secret: 'x' };
    expect(JSON.stringify(facts(of, 'id', 'workspaceId', 'createdAt', 'endedAt'))).toBe(
      '{"id":1,"workspace_id":3,"created_at":"2026-01-05T03:00:00.000000Z","ended_at":null}',
    );
  });
});
