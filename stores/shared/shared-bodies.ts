import { LRUCache } from 'lru-cache';
import type { MessageBody } from '../../domain/messages/message';

/** Bytes of content that are kept. */
const MAX = 8 * 1024 * 1024;

export interface SharedBody {
  body: MessageBody;
  /** Its size as stored. */
  bytes: number;
}

/**
 * The contents of campaigns and of the mails of journeys that messages lately needed. They never change once a message
 * has them, so each is read once, and all messages share one object.
 */
export class SharedBodies {
  private readonly bodies = new LRUCache<string, SharedBody>({
    maxSize: MAX,
    sizeCalculation: ({ bytes }) => 1 + bytes,
  });

  get(id: string): SharedBody | undefined {
    return this.bodies.get(id);
  }

  /** Returns what all messages share. */
  keep(id: string, { html, text }: Pick<MessageBody, 'html' | 'text'>): SharedBody {
    const bytes = Buffer.byteLength(html) + Buffer.byteLength(text ?? '');
    const shared: SharedBody = { body: { html, text, isShared: true }, bytes };
    this.bodies.set(id, shared);
    return shared;
  }
}
