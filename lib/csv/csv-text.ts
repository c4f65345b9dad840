const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;
/** What a spreadsheet takes for a formula; with the apostrophes that were set before one. */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;

/**
 * One line of CSV by RFC 4180, with its CRLF. A cell that a spreadsheet would run as a formula gets an apostrophe in
 * front, as spreadsheets mark text; `withoutGuard` takes it off again (docs/cli.md#kurir-contact-export).
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The cell without the apostrophe that `csvLine` sets before a formula. */
export const withoutGuard = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);
