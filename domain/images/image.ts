import { createHash } from 'node:crypto';
import type { ImageType } from '../../lib/read-image';
import type { Keyring } from '../keyring';

/** Bytes of an image at most. */
export const MAX_BYTES = 2 * 1024 * 1024;
/** Pixels of a side at most. */
export const MAX_PIXELS = 5_000;
/** What the images of a workspace may be together. */
export const IMAGE_QUOTA = { count: 1_000, bytes: 100 * 1024 * 1024 } as const;
export type ImageQuota = Readonly<Record<keyof typeof IMAGE_QUOTA, number>>;

/** An image for mails, which the public host shows; its bytes are kept beside it. */
export interface Image {
  /** 32 hexadecimal digits, which follow from workspace and content and are not to be guessed. */
  id: string;
  workspaceId: number;
  /** The name of its file. */
  name: string;
  type: ImageType;
  /** Bytes. */
  size: number;
  /** Pixels. */
  width: number;
  height: number;
  createdAt: number;
}

/**
 * The id of an image: the same content in the same workspace has the same. Whoever has the file cannot find out from it
 * whether a workspace uses it.
 */
export const imageId = (keyring: Keyring, workspaceId: number, content: Uint8Array): string =>
  toId(keyring.hash('image-ids', `${workspaceId} ${digestOf(content)}`));

/** The id that the image has if it was kept before ids had a key of their own: it stands in mails that were sent. */
export const olderImageId = (keyring: Keyring, workspaceId: number, content: Uint8Array): string =>
  toId(keyring.olderHash('image-ids', `image ${workspaceId} ${digestOf(content)}`));

const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
const toId = (hash: string): string => Buffer.from(hash, 'base64url').toString('hex').slice(0, 32);

const ENDINGS: Readonly<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** The name below `/i/` under which the public host shows it. */
export const imageFile = ({ id, type }: Pick<Image, 'id' | 'type'>): string => `${id}.${ENDINGS[type]}`;
