import { CsvReader, type CsvRecord } from './csv-reader';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads CSV (see CsvReader) from a stream, with or without a byte order mark: the records of each chunk. */
export async function* readCsv(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<CsvRecord[]> {
  const reader = new CsvReader();
  let start: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (start === null) {
      yield reader.push(bytes);
      continue;
    }
    start = Buffer.concat([start, bytes]);
    if (start.length < BOM.length) continue;
    yield reader.push(start.subarray(0, BOM.length).equals(BOM) ? start.subarray(BOM.length) : start);
    start = null;
  }
  if (start !== null) yield reader.push(start);
  yield reader.end();
}
