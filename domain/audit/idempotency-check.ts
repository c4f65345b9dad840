import { NO_DIFFERENCE, type Difference } from './difference';

/** An idempotency key and its message; the workspace is null when the message does not exist. */
export interface KeyRecord {
  workspaceId: number;
  key: string;
  messageId: string | null;
  messageWorkspaceId: number | null;
}

/**
 * Checks the keys of a workspace in the order of their messages: each belongs to a message of the workspace, and no
 * message has two keys (I9).
 */
export class IdempotencyCheck {
  private last: KeyRecord | null = null;

  add(record: KeyRecord): readonly Difference[] {
    const { workspaceId, messageId, messageWorkspaceId } = record;
    const before = this.last;
    this.last = record;
    const expected = `a message of workspace ${workspaceId}`;
    if (messageId === null) return fault(record, expected, 'none');
    if (messageWorkspaceId !== workspaceId) {
      return fault(record, expected, `message ${messageId} of workspace ${messageWorkspaceId ?? 'none'}`);
    }
    if (before?.messageId === messageId) {
      return fault(record, 'a separate message', `message ${messageId}, which has the key ${before.key}`);
    }
    return NO_DIFFERENCE;
  }
}

const fault = ({ workspaceId, key }: KeyRecord, expected: string, found: string): readonly Difference[] => [
  { rule: 'idempotency', subject: `workspace ${workspaceId} key ${key}`, expected, found },
];
