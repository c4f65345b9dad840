import type { Document } from 'mongodb';
import type { Options } from './options';

/** A cursor that fetches everything with its first document. */
export class ModelCursor {
  private how: Options = {};
  private fetched: Document[] | null = null;
  private at = 0;

  constructor(private readonly fetch: (how: Options) => Promise<Document[]>) {}

  sort(sort: Document): this {
    return this.with({ sort });
  }

  limit(limit: number): this {
    return this.with({ limit });
  }

  skip(skip: number): this {
    return this.with({ skip });
  }

  hint(hint: string | Document): this {
    return this.with({ hint });
  }

  project(projection: Document): this {
    return this.with({ projection });
  }

  async toArray(): Promise<Document[]> {
    return this.fetch(this.how);
  }

  async next(): Promise<Document | null> {
    this.fetched ??= await this.fetch(this.how);
    this.at += 1;
    return this.fetched[this.at - 1] ?? null;
  }

  async close(): Promise<void> {
    this.fetched = [];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Document> {
    for (let document = await this.next(); document; document = await this.next()) yield document;
  }

  private with(how: Options): this {
    this.how = { ...this.how, ...how };
    return this;
  }
}
