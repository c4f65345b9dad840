import { noun } from '../../schemas/rules/nouns';
import { ValueError } from '../../lib/reason';
import { basename } from 'node:path';
import { IMAGE_QUOTA, imageFile, MAX_BYTES, MAX_PIXELS, type Image } from '../../domain/images/image';
import { readImage, type ImageFacts } from '../../lib/read-image';
import { printable } from '../../lib/printable';
import type { ImageUse } from '../../stores/ports/image-store';
import { deleteImage, keepImage } from './keep-image';
import { publicUrl } from '../installation/public-url';
import {
  bytesArgument,
  type Columns,
  facts,
  FileFault,
  flag,
  found,
  operation,
  OperationError,
  option,
  type ReadFile,
  reference,
  type Session,
  text,
  upTo,
  workspace,
  why,
  rule,
  unknownId,
} from '../definition';

/** An image that was read, and the name of its file. */
interface ReadFileOfImage extends ImageFacts {
  name: string;
}

/** What the file has beside the pixels is left off. Throws FileFault. */
const imageIn: ReadFile<ReadFileOfImage> = ({ name, bytes }) => {
  if (bytes.length > MAX_BYTES) throw new FileFault(name, rule('many_mb', { size: MAX_BYTES / 1024 / 1024 }));
  try {
    const of = readImage(bytes);
    if (Math.max(of.width, of.height) > MAX_PIXELS) {
      throw new ValueError(rule('pixels', { width: of.width, height: of.height, most: MAX_PIXELS }));
    }
    return { ...of, name: basename(name) };
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new FileFault(name, error.reason, { cause: error });
  }
};

/** An image with the address under which mails show it. */
const shown = (session: Session, image: Image) => ({
  ...facts(image, 'id', 'name', 'type', 'size', 'width', 'height', 'createdAt'),
  url: `${publicUrl(session)}/i/${imageFile(image)}`,
});
type Shown = ReturnType<typeof shown>;

const pixels = ({ width, height }: Shown): string => `${width} x ${height}`;
const DETAILS: Columns<Shown> = {
  id: 'id',
  name: 'name',
  type: 'type',
  bytes: 'size',
  pixels,
  address: 'url',
  created: 'created_at',
};

/** Control characters of the name of a file would not be a name. */
const nameOf = (given: string): string => [...given.replace(/\p{Cc}/gu, ' ').trim()].slice(0, 100).join('') || 'image';

const full = (): OperationError =>
  new OperationError(
    why('images_full', { count: IMAGE_QUOTA.count, size: IMAGE_QUOTA.bytes / 1024 / 1024 }),
    'Delete images that no email needs: kurir image list.',
  );

const add = operation('image.add', 'editor', {
  summary: 'upload an image for emails',
  arguments: { workspace, file: bytesArgument('PNG, JPEG, GIF or WebP of at most 2 MB', imageIn) },
  options: { name: option('<text>', 'name of the image in lists; default: the file name', text(100)) },
  examples: [['image add "Toko Melati" promo.jpg', 'its URL, for the HTML or an image block of an email']],
  notes: 'Uploading the same file to the same workspace again gives the same URL, and stores nothing new.',
  handler: async ({ workspace: { id: workspaceId }, file: { content, ...file }, ...given }, session) => {
    const name = given.name ?? nameOf(file.name);
    await session.note('image add', name, workspaceId);
    const keyring = await session.keyring();
    const image = { ...file, name, workspaceId };
    const kept = await keepImage(session.stores, keyring, image, content, session.clock.now());
    if (!kept) throw full();
    return shown(session, kept);
  },
  details: DETAILS,
});

const list = operation('image.list', 'viewer', {
  summary: 'list the images of a workspace, newest first',
  arguments: { workspace },
  examples: [['image list "Toko Melati"', 'with their URLs']],
  handler: async (input, session) => {
    const images = await session.stores.images.list(input.workspace.id);
    return { data: images.map((image) => shown(session, image)) };
  },
  columns: { id: 'id', name: upTo(30, 'name'), bytes: 'size', pixels, address: upTo(100, 'url') },
  none: ({ workspace: { name } }) => `No images in ${name} yet.`,
});

/** An image of the workspace by its id; one of another does not exist. */
const image = found('its id', reference, async (id, { stores, workspace: of }): Promise<Image> => {
  const kept = of && (await stores.images.list(of.id)).find((one) => one.id === id);
  if (kept) return kept;
  throw unknownId({ label: '<image>', what: noun('image'), id: printable(id) }, 'kurir image list shows them.');
});

const inUse = (name: string, { kind, id }: ImageUse): OperationError =>
  new OperationError(
    why('image_used', { name: printable(name), what: noun(kind), id }),
    'Or use --force to delete it anyway.',
    '--force',
  );

const remove = operation('image.delete', 'editor', {
  irreversible: true,
  summary: 'delete an image; emails that use it, including sent ones, show its alt text instead',
  arguments: { workspace, image },
  options: { force: flag('even if a campaign, template, journey or sent email uses it') },
  examples: [['image delete "Toko Melati" 4be0643f1d98573b97cdca98a65347dd', 'fails while something uses it']],
  notes: 'Email services and browsers that have loaded the image may keep a copy for a year.',
  handler: async ({ image: of, force }, { stores, note }) => {
    const { id, name, workspaceId } = of;
    const use = force ? null : await stores.images.usedBy(workspaceId, id);
    if (use) throw inUse(name, use);
    await note('image delete', `${name}${force ? ', forced' : ''}`, workspaceId);
    return { id, deleted: await deleteImage(stores, of) };
  },
  text: ({ id }) => `Image ${id} was deleted.\n`,
});

export const IMAGE = { add, list, delete: remove };
