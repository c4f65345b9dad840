import type { Admin } from 'kafkajs';
import { deleteTopics as deleteOurs } from '../../proof/crash/cluster/delete-topics';

/** Deletes what is there of the topics, and waits until the servers list none of them. */
export const deleteTopics = (admin: Admin, topics: readonly string[]): Promise<void> =>
  deleteOurs(admin, (name) => topics.includes(name));
