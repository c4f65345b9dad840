import { expect } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { eventually } from '../contract/helpers';

/** Deletes the topics, and waits until the server lists them no more: it still does for a moment. */
export async function deleteTopics(admin: Admin, topics: readonly string[]): Promise<void> {
  await admin.deleteTopics({ topics: [...topics] });
  await eventually(async () => {
    const listed = await admin.listTopics();
    expect(listed.filter((name) => topics.includes(name))).toEqual([]);
  });
}
