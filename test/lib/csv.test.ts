import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CsvReader, type CsvRecord } from '../../lib/csv/csv-reader';
import { csvLine, withoutGuard } from '../../lib/csv/csv-text';
import { readCsv } from '../../lib/csv/read-csv';

/** Reads the bytes in chunks of `size`. */
function read(file: string | Buffer, size = Infinity, maxBytes?: number): CsvRecord[] {
  const bytes = Buffer.from(file);
  const reader = new CsvReader(maxBytes);
  const records: CsvRecord[] = [];
  for (let from = 0; from < bytes.length; from += size) records.push(...reader.push(bytes.subarray(from, from + size)));
  return [...records, ...reader.end()];
}
const cells = (file: string) => read(file).map((record) => ('cells' in record ? record.cells : record.fault));
const fault = (line: number, text: string) => ({ line, fault: expect.stringContaining(text) as unknown });

describe('CsvReader', () => {
  it('reads cells, quoted ones with commas, quotes and line breaks', () => {
    expect(cells('a,b\n"x, ""y""",\n,"1\r\n2"\n"",z')).toEqual([
      ['a', 'b'],
      ['x, "y"', ''],
      ['', '1\r\n2'],
      ['', 'z'],
    ]);
  });

  it.each(['\n', '\r\n', '\r'])('counts lines by %j, also inside quotes, and skips empty ones', (br) => {
    const file = ['a', '"b', 'b', 'b",c', '', 'd', ''].join(br);
    expect(read(file).map(({ line }) => line)).toEqual([1, 2, 6]);
  });

  it('reads the same whatever the chunks', () => {
    const file = 'surel,nama\r\n"a""b","x\r\ny"\r\n\r\n"q"z,1\r\né🌸,"tak tertutup\r\n';
    for (let size = 1; size < 20; size += 1) expect(read(file, size)).toEqual(read(file));
  });

  it('refuses a misplaced quote, and only that line', () => {
    expect(read('a"b,c\n"a"b,c\nok\n')).toEqual([
      fault(1, 'A quote stands inside a cell'),
      fault(2, 'Something follows the closing quote'),
      { line: 3, cells: ['ok'] },
    ]);
  });

  it('says which lines a quote that was not closed takes in', () => {
    expect(read('a,"b\nc\n"d",e\nok\n')).toEqual([
      fault(1, 'Something follows the closing quote of a cell, which takes in lines 1 to 3.'),
      { line: 4, cells: ['ok'] },
    ]);
    expect(read('ok\na,"b\nc\n')).toEqual([
      { line: 1, cells: ['ok'] },
      fault(2, 'A quote opens on line 2 and is not closed before the end of the file.'),
    ]);
  });

  it('refuses a line that is too long, NUL, and bytes that are not UTF-8, and goes on', () => {
    const bytes = Buffer.concat([
      Buffer.from(`${'x'.repeat(101)}\n${','.repeat(101)}\n${'y'.repeat(100)}\nn\0ul\n`),
      Buffer.from('Jos\u00e9\n', 'latin1'),
      Buffer.from('ok'),
    ]);
    for (const size of [7, 64, Infinity]) {
      expect(read(bytes, size, 100)).toEqual([
        fault(1, 'longer than 100 bytes'),
        fault(2, 'longer than 100 bytes'),
        { line: 3, cells: ['y'.repeat(100)] },
        fault(4, 'NUL'),
        fault(5, 'not UTF-8'),
        { line: 6, cells: ['ok'] },
      ]);
    }
  });

  it('holds no more of a line of 10 MB than it may', () => {
    const reader = new CsvReader();
    const chunk = Buffer.alloc(65_536, 'x,');
    for (let n = 0; n < 160; n += 1) expect(reader.push(chunk)).toEqual([]);
    expect(reader).toMatchObject({ head: [], ends: [] });
    expect(reader.push(Buffer.from('\nok\n'))).toEqual([fault(1, '1048576 bytes'), { line: 2, cells: ['ok'] }]);
  });
});

describe('readCsv', () => {
  const all = async (...chunks: Buffer[]) => {
    const records: CsvRecord[] = [];
    for await (const some of readCsv(stream(chunks))) records.push(...some);
    return records;
  };
  async function* stream(chunks: Buffer[]) {
    yield* chunks;
  }

  it('takes a byte order mark off, in whatever chunks it comes', async () => {
    const bytes = Buffer.from('\ufeff"a",b\n');
    for (const at of [1, 2, 3, 5]) {
      expect(await all(bytes.subarray(0, at), bytes.subarray(at))).toEqual([{ line: 1, cells: ['a', 'b'] }]);
    }
    expect(await all(Buffer.from('a'))).toEqual([{ line: 1, cells: ['a'] }]);
    expect(await all()).toEqual([]);
  });
});

describe('csvLine', () => {
  it('quotes by RFC 4180 and sets an apostrophe before a formula', () => {
    expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', ' h', ''])).toBe('a,"b,c","d""e","f\ng"," h",\r\n');
    expect(csvLine(['=1+1', '+62', '-1', '@x', '\tx', "'=1", "'x"])).toBe(`'=1+1,'+62,'-1,'@x,'\tx,''=1,'x\r\n`);
  });

  it('is read back as it was, any text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', "'", '=', '-', 'é', '🌸') });
    fc.assert(
      fc.property(
        fc.array(fc.array(text, { minLength: 2, maxLength: 3 })),
        fc.integer({ min: 1, max: 9 }),
        (rows, size) => {
          const records = read(rows.map(csvLine).join(''), size);
          expect(records.map((record) => ('cells' in record ? record.cells.map(withoutGuard) : record))).toEqual(rows);
        },
      ),
    );
  });
});
