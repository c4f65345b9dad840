import type { Lane } from '../../domain/messages/message';
import type { DispatchRecord } from '../../streams/record-values';

/** The record that hands a claim to dispatch (docs/architecture.md#pacing-and-claim). */
export function dispatchRecord(messageId: string, attempt: number, lane: Lane, server?: string): DispatchRecord {
  const record: DispatchRecord = { messageId, attempt };
  if (lane !== 'transactional') record.lane = lane;
  if (server !== undefined) record.server = server;
  return record;
}
