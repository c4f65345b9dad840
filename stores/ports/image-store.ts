import type { Image, ImageQuota } from '../../domain/images/image';

/** Something whose HTML has the address of an image in it. */
export interface ImageUse {
  kind: 'campaign' | 'template' | 'journey';
  id: number;
}

/** Images for mails. Their ids follow from workspace and content. */
export interface ImageStore {
  /**
   * Stores an image with its bytes; one whose id is there stays as it is, and is answered. Null if the workspace would
   * then have more than the quota: nothing was stored.
   */
  add(image: Image, content: Uint8Array, quota: ImageQuota): Promise<Image | null>;
  /** The image of any workspace with its bytes. */
  content(id: string): Promise<{ image: Image; content: Uint8Array } | null>;
  /** The newest first. */
  list(workspaceId: number): Promise<Image[]>;
  /** A campaign, template or version of a journey of the workspace that has the id in its HTML; null for none. */
  usedBy(workspaceId: number, id: string): Promise<ImageUse | null>;
  /** False if the workspace has no such image. */
  delete(workspaceId: number, id: string): Promise<boolean>;
}
