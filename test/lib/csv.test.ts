import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CsvReader, type CsvRecord } from '../../lib/csv/csv-reader';
import { csvLine, withoutGuard } from '../../lib/csv/csv-text';
import { CsvFile, type GivenFormat } from '../../lib/csv/csv-file';

/** Reads the bytes in chunks of `size`. */
function read(file: string | Buffer, size = Infinity, maxBytes = Infinity): CsvRecord[] {
  const bytes = Buffer.from(file);
  const reader = new CsvReader({ maxBytes });
  const records: CsvRecord[] = [];
  for (let from = 0; from < bytes.length; from += size) records.push(...reader.push(bytes.subarray(from, from + size)));
  return [...records, ...reader.end()];
}
const cells = (file: string) => read(file).map((record) => ('cells' in record ? record.cells : record.fault));
const fault = (line: number, text: string) => ({
  line,
  fault: { asymmetricMatch: (of: unknown) => String(of).includes(text) },
});

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
      fault(1, 'A quote is inside a cell'),
      fault(2, 'There is text after the closing quote'),
      { line: 3, cells: ['ok'] },
    ]);
  });

  it('says which lines a quote that was not closed takes in', () => {
    expect(read('a,"b\nc\n"d",e\nok\n')).toEqual([
      fault(1, 'There is text after the closing quote of a cell on lines 1 to 3.'),
      { line: 4, cells: ['ok'] },
    ]);
    expect(read('ok\na,"b\nc\n')).toEqual([
      { line: 1, cells: ['ok'] },
      fault(2, 'A quote opens on line 2 and is not closed by the end of the file.'),
    ]);
  });

  it('refuses a line that is too long, NUL, and bytes that are not UTF-8, and goes on', () => {
    const bytes = Buffer.concat([
      Buffer.from(`${'x'.repeat(101)}\n${','.repeat(101)}\n${'y'.repeat(100)}\nn\0ul,é\né\n`),
      Buffer.from('Jos\u00e9\n', 'latin1'),
      Buffer.from('ok'),
    ]);
    for (const size of [7, 64, Infinity]) {
      expect(read(bytes, size, 100)).toEqual([
        fault(1, 'longer than 100 bytes'),
        fault(2, 'longer than 100 bytes'),
        { line: 3, cells: ['y'.repeat(100)] },
        fault(4, 'NUL'),
        { line: 5, cells: ['é'] },
        fault(6, 'not UTF-8'),
        { line: 7, cells: ['ok'] },
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

/** Windows-1252 of text with the characters that the tests use. */
const ansi = (text: string) => Buffer.from(text.replaceAll('€', '\x80').replaceAll('’', '\x92'), 'latin1');
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('CsvFile', () => {
  async function readFile(bytes: Buffer, given?: GivenFormat, size = bytes.length) {
    async function* chunks() {
      for (let from = 0; from < bytes.length; from += size) {
        yield bytes.subarray(from, from + size);
        await Promise.resolve();
      }
    }
    const file = new CsvFile(chunks(), given);
    const records: CsvRecord[] = [];
    for await (const some of file.records()) records.push(...some);
    return { records, format: file.format };
  }
  const rows = (...lines: string[][]) => lines.map((cells, i) => ({ line: i + 1, cells }));
  const text = '"surel";nama\r\nb@x.example;"José ""€5"", ’t"\r\n';
  const records = rows(['surel', 'nama'], ['b@x.example', 'José "€5", ’t']);

  it.each([
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['windows-1252', ansi(text)],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be', bigEndian(`\ufeff${text}`)],
    ['utf-16le', Buffer.from(text, 'utf16le')],
    ['utf-16be', bigEndian(text)],
  ] as const)('reads %s as what it is, in whatever chunks it comes', async (encoding, bytes) => {
    for (const size of [1, 2, 3, 5, 7, 64, bytes.length]) {
      expect(await readFile(bytes, {}, size)).toEqual({ records, format: { encoding, delimiter: ';' } });
    }
  });

  it('finds the delimiter by the header, outside of quotes', async () => {
    const delimiterOf = async (header: string) => (await readFile(Buffer.from(`${header}\nx`))).format.delimiter;
    expect(await delimiterOf('a,b')).toBe(',');
    expect(await delimiterOf('a;b')).toBe(';');
    expect(await delimiterOf('a\tb;c\td')).toBe('\t');
    expect(await delimiterOf('"a,b,c";d')).toBe(';');
    expect(await delimiterOf('"a\n,,,b";d')).toBe(';');
    expect(await delimiterOf('email')).toBe(',');
  });

  it.each(['\n', '\r\n', '\r'])('takes the delimiter of a line sep= that ends with %j, and counts it', async (br) => {
    const bytes = Buffer.from(['sep=;', 'a,x;b', 'c;d'].join(br));
    for (const size of [1, 4, 6, 7, bytes.length]) {
      expect(await readFile(bytes, {}, size)).toEqual({
        records: [
          { line: 2, cells: ['a,x', 'b'] },
          { line: 3, cells: ['c', 'd'] },
        ],
        format: { encoding: 'utf-8', delimiter: ';' },
      });
    }
  });

  it('lets the caller say both', async () => {
    expect((await readFile(Buffer.from('a;b,c'), { delimiter: ',' })).records).toEqual(rows(['a;b', 'c']));
    expect((await readFile(Buffer.from('é'), { encoding: 'windows-1252' })).records).toEqual(rows(['Ã©']));
    expect((await readFile(ansi('a\né'), { encoding: 'utf-8' })).records[1]).toEqual(fault(2, 'not UTF-8'));
    expect((await readFile(Buffer.from('é', 'utf16le'), { encoding: 'utf-16' })).records).toEqual(rows(['é']));
    expect((await readFile(bigEndian('\ufeffé'), { encoding: 'utf-16' })).records).toEqual(rows(['é']));
    expect((await readFile(bigEndian('é'), { encoding: 'utf-16be' })).records).toEqual(rows(['é']));
  });

  it('reads a file in one encoding: a line in another, or with damaged UTF-16, costs that line', async () => {
    const mixed = Buffer.concat([ansi('é\n'), Buffer.from('ü\n'), ansi('ü\n')]);
    expect((await readFile(mixed)).records).toEqual([
      { line: 1, cells: ['é'] },
      fault(2, 'The line is UTF-8, but the file is Windows-1252.'),
      { line: 3, cells: ['ü'] },
    ]);
    const marked = Buffer.concat([Buffer.from('\ufeffa\n'), ansi('é\n')]);
    expect((await readFile(marked)).records[1]).toEqual(fault(2, 'not UTF-8'));
    const damaged = Buffer.concat([Buffer.from('\ufeffa\nb\ud83d\nc\n', 'utf16le'), Buffer.from([0x64])]);
    expect((await readFile(damaged)).records).toEqual([
      { line: 1, cells: ['a'] },
      fault(2, 'damaged'),
      { line: 3, cells: ['c'] },
      fault(4, 'damaged'),
    ]);
  });

  it('reads nothing of an empty file, and a header above 64 KB', async () => {
    expect((await readFile(Buffer.alloc(0))).records).toEqual([]);
    const wide = `${'x'.repeat(70_000)};b\nc;d\n`;
    expect((await readFile(Buffer.from(wide), {}, 1_000)).records).toHaveLength(2);
  });

  it('closes the file when its reader stops', async () => {
    let closed = false;
    async function* chunks() {
      try {
        for (;;) yield await Promise.resolve('a;b\n');
      } finally {
        closed = true;
      }
    }
    for await (const some of new CsvFile(chunks()).records()) if (some.length > 0) break;
    expect(closed).toBe(true);
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
