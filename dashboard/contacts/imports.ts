import type { ImportReport } from '../../operations/contacts/import-record';
import type { Language } from '../../lib/reason';
import { AUDIENCE } from '../../operations/contacts/audience';
import { CONTACT } from '../../operations/contacts/contact';
import { FileContent, type Fault } from '../../operations/definition';
import type { Done, Performer } from '../../operations/perform';
import { workspaceOf } from '../kit/workspace-scope';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { findImport, refusalOf, startImport } from '../../operations/contacts/import-jobs';
import {
  FIELDS,
  jobPart,
  MEANINGS,
  mappingView,
  meansField,
  unknownView,
  uploadView,
  type Given,
} from './import-views';

/** Bytes of a file. */
const MAX_FILE = 10_000_000;
/** Longer imports show how far they are, ms. */
const WAIT = 2_000;

async function upload(visit: Visit, why: string | null = null): Promise<Answer> {
  const { t, query, form } = visit;
  const { data } = await visit.read(AUDIENCE.list, { workspace: workspaceOf(visit) });
  const audience = fieldOf(form, 'audience') || (query['audience'] ?? '');
  return page(t.importsTitle, uploadView(visit, data, { audience, why }), why === null ? 200 : 422);
}

const contentOf = ({ name, bytes }: Given): FileContent => new FileContent(name, bytes.toString(), bytes);

/** The file is kept in the page, so that any process can take the next step, and none stores it before. */
async function mapping(visit: Visit, given: Given, fault: Fault | null = null): Promise<Answer> {
  const into = given.audience === '' ? {} : { audience: given.audience };
  const done = await visit.perform(CONTACT.columns, {
    workspace: workspaceOf(visit),
    file: contentOf(given),
    ...into,
  });
  if (!done.ok) return upload(visit, done.fault.message);
  const main = mappingView(visit, given, done.json, fault);
  return page(visit.t.importsMapTitle, main, fault ? 422 : 200);
}

const send = action('/contacts/import', 'editor', async (visit) => {
  const { t, form } = visit;
  const file = form.files?.get('file');
  if (!file || file.bytes.length === 0) return upload(visit, t.importsNoFile);
  if (file.bytes.length > MAX_FILE) return upload(visit, t.importsTooLarge);
  return mapping(visit, { ...file, audience: fieldOf(form, 'audience') });
});

/** What was chosen for each column that may say who gets no mail. */
function meaningsOf(form: Visit['form']): { map: string[]; ignore: string[] } {
  const chosen = [...form.keys()].flatMap((key) => {
    const column = key.startsWith(meansField('')) ? key.slice(meansField('').length) : '';
    return column === '' ? [] : [{ column, means: fieldOf(form, key) }];
  });
  return {
    map: chosen.flatMap(({ column, means }) =>
      means in MEANINGS && means !== 'nothing' ? [`${means}=${column}`] : [],
    ),
    ignore: chosen.flatMap(({ column, means }) => (means === 'nothing' ? [column] : [])),
  };
}

/** A status that the file has, and that was taken out, does not count. */
function inputOf(visit: Visit, given: Given) {
  const { form } = visit;
  const { map, ignore } = meaningsOf(form);
  for (const field of Object.keys(FIELDS)) {
    const column = fieldOf(form, field);
    if (column !== '') map.push(`${field}=${column}`);
  }
  const known = fieldOf(form, 'known_status');
  if (known !== '' && fieldOf(form, 'status') === '') ignore.push(known);
  const consent = fieldOf(form, 'consent') === 'on';
  return { workspace: workspaceOf(visit), file: contentOf(given), map, ignore, consent };
}

/** Imports the file, into an audience if one was chosen. */
function importOf(visit: Visit, given: Given, progress: Performer['progress']) {
  const input = inputOf(visit, given);
  if (given.audience === '') return visit.perform(CONTACT.import, input, progress);
  const confirmations = (!input.consent && fieldOf(visit.form, 'confirmations')) || null;
  return visit.perform(AUDIENCE.import, { ...input, audience: given.audience, confirmations }, progress);
}

/** The report as it is kept: in the language of whoever imports. */
const told = (done: Awaited<ReturnType<typeof importOf>>, language: Language): Done<ImportReport> => {
  if (!done.ok) return done;
  const { errors = [] } = done.json;
  return {
    ok: true,
    json: { ...done.json, errors: errors.map(({ line, reason }) => ({ line, reason: reason.in(language) })) },
  };
};

const start = action('/contacts/import/start', 'editor', async (visit) => {
  const { t, form, services, base, workspace } = visit;
  const bytes = Buffer.from(fieldOf(form, 'content'), 'base64');
  const given: Given = { name: fieldOf(form, 'filename'), bytes, audience: fieldOf(form, 'audience') };
  if (bytes.length === 0) return upload(visit, t.importsNoFile);
  const job = await startImport(
    services,
    { workspaceId: workspace?.id ?? 0, name: given.name, audience: given.audience || null, bytes },
    async (progress) => told(await importOf(visit, given, progress), visit.language),
    WAIT,
  );
  if (!job) return upload(visit, t.importsMany);
  const fault = refusalOf(job);
  return fault ? mapping(visit, given, fault) : redirect(`${base}/contacts/imports/${job.id}`);
});

const show = screen('/contacts/imports/:id', 'editor', async (visit) => {
  const { t, services, workspace, isPart } = visit;
  const job = await findImport(services, workspace?.id ?? 0, visit.id);
  const main = job ? jobPart(visit, job) : unknownView(visit);
  return isPart ? { kind: 'part', main } : page(t.importsTitle, main, job ? 200 : 404);
});

/** Contacts from a file: the file, its columns, then the import with its report. */
export const IMPORTS: readonly Screen[] = [
  screen('/contacts/import', 'editor', (visit) => upload(visit)),
  send,
  start,
  show,
];
