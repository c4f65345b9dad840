import type { CsvFile } from '../../lib/csv/csv-file';
import { CONTACT_FIELDS } from '../../schemas/contacts/contact-row';
import { ValueWatch } from '../../schemas/contacts/doubtful-columns';
import { contactLayout, type ContactColumns, type ContactLayout } from './contact-layout';
import { CsvFileError, csvLines, fileFault, type CsvHeader } from './csv-rows';

/** A column that may say who must get no mail, and that nobody has explained. */
export interface DoubtfulColumn {
  name: string;
  /** Some of its values. */
  values: readonly string[];
}

/** What a file holds, before anything of it is stored. */
export interface Inspected {
  header: CsvHeader;
  layout: ContactLayout;
  /** The first lines. */
  sample: readonly (readonly string[])[];
  doubtful: readonly DoubtfulColumn[];
}

/** Lines of a sample. */
const SAMPLE = 5;

/**
 * Reads a whole file of contacts, and finds the columns whose name or values may say who must get no mail, of those
 * that neither the caller nor a known export explains. Memory does not grow with the file. Throws CsvFileError, unless
 * `strict` not for an address without a column.
 */
export async function inspectContacts(file: CsvFile, columns: ContactColumns, strict = true): Promise<Inspected> {
  let seen: Pick<Inspected, 'header' | 'layout'> | undefined;
  const sample: (readonly string[])[] = [];
  let watches: { at: number; name: string; doubtful: boolean; watch: ValueWatch }[] = [];
  const onHeader = (header: CsvHeader): void => {
    const layout = contactLayout(header, columns, strict);
    seen = { header, layout };
    watches = layout.open.map((of) => ({ ...of, watch: new ValueWatch(of.name) }));
  };
  for await (const lines of csvLines(file, CONTACT_FIELDS, onHeader)) {
    for (const line of lines) {
      if (sample.length < SAMPLE) sample.push('fault' in line ? [] : line.cells);
      if ('fault' in line) continue;
      for (const { at, watch } of watches) watch.take(line.cells[at] ?? '');
    }
  }
  const known = new Set(seen!.layout.standings.map(({ at }) => at));
  const doubtful = watches
    .filter((of) => of.doubtful || (known.has(of.at) ? isMixed(of.watch) : of.watch.isDoubtful))
    .map(({ name, watch }) => ({ name, values: watch.values }));
  return { ...seen!, sample, doubtful };
}

/** Of a column that is called like a state: some of its values are a status, others are not. */
const isMixed = (watch: ValueWatch): boolean => watch.isDoubtful && !watch.isStatus;

/** Throws CsvFileError when a column of the file is still to be explained. */
export function refuseDoubtful({ doubtful }: Inspected): void {
  const [first] = doubtful;
  if (!first) return;
  const columns = doubtful.map(({ name, values }) => {
    const shown = values.map((value) => JSON.stringify(value)).join(', ');
    return `${JSON.stringify(name)}${shown && ` (${shown})`}`;
  });
  const [told, count] = [columns.join('; '), doubtful.length];
  throw new CsvFileError(
    count === 1 ? fileFault('doubtful', { told }) : fileFault('doubtful_columns', { count, told }),
    `Say what each means, such as --map "unsubscribed=${first.name}" (or subscribed, status, bounced, complained, ` +
      `confirmed), or ignore it: --ignore "${first.name}".`,
    '--map',
  );
}
