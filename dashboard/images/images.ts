import { IMAGE_TYPES } from '../../lib/read-image';
import { FileContent, type AnswerOf } from '../../operations/definition';
import { IMAGE } from '../../operations/images/image';
import type { Done } from '../../operations/perform';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere, workspaceOf } from '../kit/workspace-scope';
import { button, copyable, fault, fileSize, table, time } from '../kit/components';
import { Refused } from '../kit/perform';
import {
  action,
  fieldOf,
  page,
  redirect,
  screen,
  type Answer,
  type Screen,
  type Upload,
  type Visit,
} from '../kit/screen';
import { filled } from '../texts/texts';

export type ListedImage = AnswerOf<typeof IMAGE.add>;

/** What the choice of a file takes. */
export const ACCEPTED = IMAGE_TYPES.join(',');

/** The images of the workspace, the newest first. */
export const imagesOf = async (visit: Visit): Promise<readonly ListedImage[]> =>
  (await visit.read(IMAGE.list, { workspace: workspaceOf(visit) })).data;

/** Keeps a file that was chosen in a form. */
export async function keepImage(visit: Visit, file: Upload | undefined): Promise<Done<ListedImage>> {
  // A field without a choice is sent as an empty file.
  if (!file || file.bytes.length === 0) {
    return { ok: false, fault: { status: 422, message: visit.t.imagesNoFile, field: 'file' } };
  }
  return visit.perform(IMAGE.add, {
    workspace: workspaceOf(visit),
    file: new FileContent(file.name, '', file.bytes),
  });
}

const uploadForm = ({ t, base, csrf }: Visit): Html =>
  html`<form class="fields" method="post" action="${base}/images" enctype="multipart/form-data">
    ${csrf}
    <div>
      <label for="f-file">${t.imagesFile}</label>
      <input id="f-file" name="file" type="file" accept="${ACCEPTED}" aria-describedby="file-help" required />
      <p class="help" id="file-help">${t.imagesHelp}</p>
    </div>
    <p class="acts"><button>${t.imagesAdd}</button></p>
  </form>`;

/** `held`: the image that was not deleted, since something uses it. */
function remover({ t, base, csrf }: Visit, { id, name }: ListedImage, held: string | null): Html {
  const to = `${base}/images/${id}/delete`;
  const confirm = filled(t.imagesDeleteSure, { name });
  return id === held
    ? button(csrf, { to, label: t.imagesDeleteForce, confirm, fields: { force: 'on' }, kind: 'danger' })
    : button(csrf, { to, label: t.imagesDelete, confirm });
}

async function show(visit: Visit, why: string | null = null, held: string | null = null): Promise<Answer> {
  const { t, language } = visit;
  const mayEdit = mayHere(visit, 'editor');
  const list = table(
    t.imagesTitle,
    await imagesOf(visit),
    [
      {
        title: t.imagesTitle,
        cell: (of) => html`<img class="thumb" src="${of.url}" alt="${of.name}" loading="lazy" />`,
      },
      { title: t.imagesName, cell: ({ name }) => name },
      {
        title: t.imagesSize,
        cell: (of) => `${of.width} × ${of.height}, ${fileSize(of.size, language)}`,
      },
      { title: t.imagesUrl, cell: ({ url }) => copyable(t, url) },
      { title: t.imagesCreated, is: 'time', cell: (of) => time(t, of.created_at) },
      mayEdit && { title: t.actions, cell: (of) => remover(visit, of, held) },
    ],
    t.imagesNone,
  );
  const main = html`<h1>${t.imagesTitle}</h1>
    <p class="soft">${t.imagesAbout}</p>
    ${fault(why)}${mayEdit ? uploadForm(visit) : NOTHING}${list}`;
  return page(t.imagesTitle, main, why === null ? 200 : 422);
}

const add = action('/images', 'editor', async (visit) => {
  const done = await keepImage(visit, visit.form.files?.get('file'));
  return done.ok ? redirect(`${visit.base}/images`, visit.t.imagesAdded) : show(visit, done.fault.message);
});

const remove = action('/images/:id/delete', 'editor', async (visit) => {
  const { t, base, id: image, form } = visit;
  const input = { workspace: workspaceOf(visit), image, force: fieldOf(form, 'force') === 'on' };
  const done = await visit.perform(IMAGE.delete, input);
  if (done.ok) return redirect(`${base}/images`, t.imagesDeleted);
  if (done.fault.field !== 'force') throw new Refused(done.fault);
  return show(visit, t.imagesUsed, image);
});

/** The images of mails: what is kept, with the address for HTML. */
export const IMAGES: readonly Screen[] = [screen('/images', 'viewer', (visit) => show(visit)), add, remove];
