import { Overrun } from './report-fault';

/** The most bytes of the reports of a mail when unpacked: one of 100,000 rows has 65 MB. */
const MAX_BYTES = 96 * 1024 * 1024;
/** What is written to be packed small: a report of 100,000 rows is packed to a 170th. */
const MAX_RATIO = 300;
const ALWAYS_BYTES = 4 * 1024 * 1024;
/** Elements, attributes and pieces of text: a row has some 60 of them, with white space between. */
const MAX_NODES = 9_000_000;
const NODES_OF_A_ROW = 250;
const MAX_ROWS = 250_000;
const NODES_BESIDE = 2_000;
/** Lines of a mail with 6 MB in base64, and those that begin or end a part. */
const MAX_LINES = 120_000;
const MAX_BOUNDARIES = 50;

/**
 * What may be read of a mail to an address for aggregate reports, by numbers that its writer cannot make cheap
 * (docs/deliverability.md#dmarc-reports). All methods throw Overrun.
 */
export class ReadingBudget {
  private bytes = 0;
  private nodes = 0;
  private rows = 0;

  /** `packed` bytes of a part became `unpacked` bytes, of which `piece` are new. */
  unpacked(piece: number, unpacked: number, packed: number): void {
    this.bytes += piece;
    const most = Math.min(MAX_BYTES, Math.max(ALWAYS_BYTES, packed * MAX_RATIO));
    if (unpacked > most || this.bytes > MAX_BYTES) throw new Overrun(`more than ${most} bytes when unpacked`);
  }

  node(): void {
    this.nodes += 1;
    const most = Math.min(MAX_NODES, NODES_BESIDE + this.rows * NODES_OF_A_ROW);
    if (this.nodes > most) throw new Overrun(`XML with more than ${most} elements and texts in ${this.rows} rows`);
  }

  row(): void {
    this.rows += 1;
    if (this.rows > MAX_ROWS) throw new Overrun(`more than ${MAX_ROWS} rows`);
  }

  /** A parser of MIME takes its time for each line and part. */
  mail(raw: Buffer): void {
    let boundaries = 0;
    let lines = 0;
    for (let at = 0; at >= 0; at = raw.indexOf(10, at) + 1 || -1) {
      if (raw[at] === 0x2d && raw[at + 1] === 0x2d) boundaries += 1;
      lines += 1;
      if (lines > MAX_LINES) throw new Overrun(`an email of more than ${MAX_LINES} lines`);
      if (boundaries > MAX_BOUNDARIES) throw new Overrun(`an email of more than ${MAX_BOUNDARIES} parts`);
    }
  }
}
