import type { DomNode, FormatCallback } from 'html-to-text';

const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

/**
 * Writes a table row as one line, its cells separated by a space. Cells that contain paragraphs, as in layout tables,
 * go below each other. An empty row leaves nothing.
 */
export const textRow: FormatCallback = (row, walk, builder) => {
  let text = '';
  builder.openTable();
  builder.openTableRow();
  for (const child of row.children) {
    builder.openTableCell();
    walk(isCell(child) ? child.children : [child], builder);
    builder.closeTableCell();
  }
  builder.closeTableRow();
  // returned text would be written before its height, and so the distance to its neighbours, is known
  builder.closeTable({
    tableToString: (rows) => {
      text = joinCells((rows[0] ?? []).map((cell) => cell.text));
      return '';
    },
  });
  if (!text) return;
  const lineBreaks = text.includes('\n') ? 2 : 1;
  builder.openBlock({ leadingLineBreaks: lineBreaks });
  builder.closeBlock({ trailingLineBreaks: lineBreaks, blockTransform: () => text });
};

/** Keeps a cell outside any row from touching the next one. */
export const textCell: FormatCallback = (cell, walk, builder) => {
  builder.addInline(' ');
  walk(cell.children, builder);
  builder.addInline(' ');
};

const isCell = (node: DomNode): boolean => node.type === 'tag' && CELLS.has(node.name ?? '');

function joinCells(cells: readonly string[]): string {
  let joined = '';
  let previous = '';
  for (const cell of cells) {
    if (!cell.trim()) continue;
    const apart = previous.includes('\n') || cell.includes('\n\n');
    joined += previous && (apart ? '\n\n' : ' ');
    joined += previous = cell;
  }
  return joined;
}
