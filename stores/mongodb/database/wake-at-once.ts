import type { ClientSession } from 'mongodb';
import { AT_ONCE } from '../../ports/wakeup-store';
import type { Mongo } from './client';
import { documents } from './documents';

/** Has the throttle look at a workspace at once, if it waits for anything, with the commit of the session. */
export async function lookAtOnce({ db }: Mongo, session: ClientSession, workspaceId: number): Promise<void> {
  await documents(db, 'looks').updateOne({ _id: workspaceId }, { $set: { at: AT_ONCE } }, { session });
}
