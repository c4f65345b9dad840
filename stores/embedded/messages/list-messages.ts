import { MESSAGE_STATUSES, type Message } from '../../../domain/messages/message';
import { statusesOf, type StatusFilter } from '../../../domain/messages/message-hour';
import { BLOCK_SIZE, totalOf, type ListBlock } from '../../../domain/contacts/list-blocks';
import type { ListQuery, MessagePage } from '../../ports/message-store';
import type { Database } from '../database/database';
import { MESSAGE } from './message-fields';

const columnsOf = (status: StatusFilter | undefined): string =>
  `(${(status === undefined ? MESSAGE_STATUSES : statusesOf(status)).join(' + ')})`;

/**
 * Messages of a workspace, newest first. The block counts lead to the page and skip blocks without a message of the
 * requested status.
 */
export function listMessages(db: Database, workspaceId: number, query: ListQuery): MessagePage {
  const { status, limit } = query;
  const outer = readOuter(db, workspaceId, status);
  const items: Message[] = [];
  for (const { block, skip } of blocksFrom(db, workspaceId, query, outer)) {
    if (items.length >= limit) break;
    items.push(...readBlock(db, workspaceId, { block, status, skip, limit: limit - items.length }));
  }
  return { total: totalOf(outer), items };
}

/**
 * Blocks of blocks with matching messages, newest first. The status comes from a fixed list, so it is safe in the SQL
 * text.
 */
function readOuter(db: Database, workspaceId: number, status: StatusFilter | undefined): ListBlock[] {
  const n = columnsOf(status);
  return db.all<ListBlock>(
    `SELECT block, ${n} AS n FROM message_blocks WHERE workspace_id = ? AND level = 1 AND ${n} > 0 ORDER BY block DESC`,
    workspaceId,
  );
}

/** Blocks with matching messages, starting with the first block of the page, and how many messages to skip in each. */
function* blocksFrom(
  db: Database,
  workspaceId: number,
  { status, offset }: ListQuery,
  outer: readonly ListBlock[],
): Generator<{ block: number; skip: number }> {
  const n = columnsOf(status);
  let before = offset;
  for (const outerBlock of outer) {
    if (before >= outerBlock.n) {
      before -= outerBlock.n;
      continue;
    }
    const first = outerBlock.block * BLOCK_SIZE;
    const inner = db.all<ListBlock>(
      `SELECT block, ${n} AS n FROM message_blocks
       WHERE workspace_id = ? AND level = 0 AND block BETWEEN ? AND ? AND ${n} > 0 ORDER BY block DESC`,
      workspaceId,
      first,
      first + BLOCK_SIZE - 1,
    );
    for (const found of inner) {
      if (before < found.n) yield { block: found.block, skip: before };
      before = Math.max(0, before - found.n);
    }
  }
}

interface BlockPart {
  block: number;
  status: StatusFilter | undefined;
  skip: number;
  limit: number;
}

/** Statuses come from a fixed list, so they are safe in the SQL text. */
export const inList = (status: StatusFilter): string =>
  statusesOf(status)
    .map((one) => `'${one}'`)
    .join(', ');

/** Reads messages of one block. The index contains the status, so other messages are skipped without reading them. */
function readBlock(db: Database, workspaceId: number, { block, status, skip, limit }: BlockPart): Message[] {
  const first = block * BLOCK_SIZE;
  const rows = db.all<object>(
    `SELECT ${MESSAGE.select('m')} FROM messages m WHERE m.workspace_id = ? AND m.seq BETWEEN ? AND ?
     ${status === undefined ? '' : `AND m.status IN (${inList(status)})`} ORDER BY m.seq DESC LIMIT ? OFFSET ?`,
    workspaceId,
    first,
    first + BLOCK_SIZE - 1,
    limit,
    skip,
  );
  return rows.map((row) => MESSAGE.fromRow(row));
}
