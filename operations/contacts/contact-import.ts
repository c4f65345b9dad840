import { countConfirmations, importContacts, type ImportCounts } from './import-contacts';
import { inspectContacts, refuseDoubtful } from './inspect-contacts';
import type { Audience } from '../../domain/contacts/audience';
import { COIN_PER_MAIL } from '../../domain/ledger/coins';
import { CsvFile } from '../../lib/csv/csv-file';
import { contactColumnsOf, contactOptions, formatOf, type ContactInput } from './csv-columns';
import { asOperationError, fileName, rereading, sizeOf, withCsvFile, type RefusedLine } from './csv-file';
import {
  audience,
  consent,
  type FileContent,
  flag,
  operation,
  OperationError,
  option,
  type Piece,
  type Session,
  streamedArgument,
  UsageError,
  whole,
  workspace,
  why,
} from '../definition';
import { counted } from '../../lib/counted';

/** The file of contacts. */
export const file = streamedArgument('CSV file; - is standard input');
/** Throws UsageError when the file cannot be read. */
export const checkFile = (given: { file: string | FileContent }): unknown => sizeOf(given.file);

interface Imported {
  counts: ImportCounts;
  words: string;
  /** How the file was read. */
  format: Piece;
  /** Null: they were listed as they came. */
  errors: readonly RefusedLine[] | null;
}

const SHOWN = {
  json: ({ counts: { kept, ...counts }, format, errors }: Imported) => ({
    ...(errors && { errors }),
    ...counts,
    ...(kept > 0 && { still_subscribed: kept }),
    ...format.json,
  }),
  text: ({ words, format }: Imported) => `${format.text}${words}\n`,
  code: ({ counts: { lines, refused } }: Imported) => (lines > 0 && refused === lines ? 1 : 0),
};

const NOTES = `The file is CSV, as spreadsheets save it: with commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252
(Latin-1), with a header line, or without one and an address in each line. The report says how it was read. Columns:
email, and optionally name (or first_name and last_name) and status (subscribed, unsubscribed, bounced or complained).
Columns such as "E-Mail", "Surel" and "Nama", and those in exports of other services, are recognized; a contact that
such an export shows as unsubscribed, bounced or complained is not subscribed, and one that has not confirmed is
rejected. An unknown column that may say who must not receive email needs mapping: nothing is imported until --map says
what it means, or --ignore that it does not matter. The name and status of existing contacts are not changed.
A rejected line does not stop the import: the report has its number and the reason. If all lines are rejected, the exit
code is 1. You can run the import again after an error or a crash: imported contacts are kept, and the rest is added.`;

const AGREED = 'all contacts in the file have consented to receive email from this workspace';

const contactWords = ({ lines, created, existing, refused, kept }: ImportCounts): string =>
  `${counted(lines, 'line')}, ${created} created, ${existing} existing, ${refused} rejected${
    kept > 0 ? `; ${kept} stay subscribed although the file says otherwise` : ''
  }`;

interface Importing {
  session: Session;
  input: ContactInput & { file: string | FileContent; consent: boolean };
  action: string;
  target: { workspaceId: number; audienceId: number | null };
  /** Throws before anything is stored, given the number of confirmation mails. */
  check?: (mails: number) => Promise<void>;
}

/** Reads the file once to see what it holds, and then imports it. */
function importInto(importing: Importing): Promise<Imported> {
  const { session, input, target, check } = importing;
  return rereading(session, input.file, async (bytes) => {
    const opened = (): CsvFile => new CsvFile(bytes(), formatOf(input));
    const columns = contactColumnsOf(input);
    try {
      refuseDoubtful(await inspectContacts(opened(), columns));
    } catch (error) {
      throw asOperationError(error, input.file);
    }
    if (check) {
      const deps = { stores: session.stores, clock: session.clock, keyring: await session.keyring() };
      await check(await countConfirmations(deps, { ...target, columns, file: opened() }));
    }
    return importAll(importing, bytes);
  });
}

async function importAll(
  { session, input, action, target }: Importing,
  bytes: () => AsyncIterable<Buffer | string>,
): Promise<Imported> {
  const { stores, clock, actor } = session;
  const into = target.audienceId === null ? '' : `, into audience ${target.audienceId}`;
  const name = fileName(input.file);
  const agreed = input.consent ? ({ source: 'import', by: actor } as const) : undefined;
  await session.note(action, `${name}${into}, ${agreed ? 'with' : 'without'} consent: started`, target.workspaceId);
  const keyring = await session.keyring();
  const given = { file: input.file, size: sizeOf(input.file), format: formatOf(input), bytes: bytes() };
  const { result: counts, ...read } = await withCsvFile(session, given, (opened) =>
    importContacts({ stores, keyring, clock }, { ...target, columns: contactColumnsOf(input), agreed, ...opened }),
  );
  const words = contactWords(counts);
  await session.note(action, `${name}${into}: ${words}`, target.workspaceId);
  return { counts, words, ...read };
}

/** `contact.import`. */
export const importToWorkspace = operation('contact.import', 'editor', {
  summary: 'import contacts from a CSV file',
  arguments: { workspace, file },
  options: { consent: consent(`${AGREED}; required`), ...contactOptions },
  examples: [
    ['contact import "Toko Melati" kontak.csv --consent', 'columns email, name, status'],
    [
      'contact import "Toko Melati" kontak.csv --consent --map email=Kontak --map "name=Nama pelanggan"',
      'columns with other names',
    ],
    [
      'contact import "Toko Melati" kontak.csv --consent --map "subscribed=Mau promo" --ignore Aktif',
      'one column with consent, and one to ignore',
    ],
  ],
  notes: NOTES,
  check: checkFile,
  handler: (input, session) => {
    const target = { workspaceId: input.workspace.id, audienceId: null };
    return importInto({ session, input, action: 'contact import', target });
  },
  ...SHOWN,
});

/** `audience.import`. */
export const importMembers = operation('audience.import', 'editor', {
  summary: 'import members from a CSV file',
  arguments: { workspace, audience, file },
  options: {
    consent: flag(`${AGREED}: they join right away; required for a single opt-in audience`),
    confirmations: option(
      '<n>',
      'without --consent: send at most this many confirmation emails, one coin each',
      whole(0, 1_000_000_000),
    ),
    ...contactOptions,
  },
  examples: [
    ['audience import "Toko Melati" Pelanggan kontak.csv --consent', 'columns email, name, status'],
    [
      'audience import "Toko Melati" Pelanggan kontak.csv --consent --map email=Kontak --map "name=Nama pelanggan"',
      'columns with other names',
    ],
    [
      'audience import "Toko Melati" Kabar kontak.csv --confirmations 1996',
      'each contact is asked to confirm by email',
    ],
  ],
  notes: `${NOTES}
With --consent new members are confirmed, even in a double opt-in audience, and a record is kept of when, how and by whom
it was stated. Without it, each new member of such an audience gets a confirmation email, one coin each: nothing is
imported until --confirmations allows that many.`,
  check: checkFile,
  handler: ({ audience: of, ...input }, session) => {
    const target = { workspaceId: of.workspaceId, audienceId: of.id };
    const check = input.consent ? {} : { check: checkConfirmations(session, of, input.confirmations) };
    return importInto({ session, input, action: 'audience import', target, ...check });
  },
  ...SHOWN,
});

/** Without consent, the number of confirmation mails and coins is agreed to before anything starts. */
function checkConfirmations(session: Session, { workspaceId, optInMode }: Audience, allowed: number | undefined) {
  if (optInMode === 'single') {
    const fix = 'Use it to state that they have consented to receive email from this workspace.';
    throw new UsageError(why('missing', { label: '--consent' }), fix);
  }
  return async (mails: number): Promise<void> => {
    if (mails <= (allowed ?? -1)) return checkBalance(session, workspaceId, mails * COIN_PER_MAIL);
    const { balance } = await session.stores.coins.account(workspaceId);
    const cost = { consent: '--consent', mails, coins: mails * COIN_PER_MAIL, balance };
    throw new UsageError(
      why(mails === 1 ? 'one_confirmation' : 'confirmations', cost),
      `Use --confirmations ${mails} to send them, or --consent to state that all contacts have already consented.`,
      '--confirmations',
    );
  };
}

async function checkBalance({ stores }: Session, workspaceId: number, needed: number): Promise<void> {
  const { balance } = await stores.coins.account(workspaceId);
  if (needed <= balance) return;
  const fix = `kurir coins top-up ${workspaceId} <coins>.`;
  throw new OperationError(why('import_coins', { needed, balance }), fix);
}
