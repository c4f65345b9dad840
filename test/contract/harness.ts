import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { AdvancingClock } from '../../lib/advancing-clock';
import { AddressSearch } from '../../domain/addresses/address-search';
import type { AuditSource } from '../../stores/ports/audit-source';
import type { PersonalDataSource, Place } from '../../stores/ports/personal-data';
import type { Engine } from '../../stores/ports/engine';
import type { Stores } from '../../stores/ports';
import type { EventLog } from '../../streams/event-log';
import type { LogRecord } from '../../streams/records';
import type { TopicName } from '../../streams/topics';

/** An engine on empty data, opened for one suite. */
export interface OpenedEngine {
  engine: Engine;
  /** The clock of the engine; it only moves when a case advances it. */
  clock: AdvancingClock;
  /**
   * Opens the same data again. Without a `close()` before it this is a crash, as far as a driver can imitate one
   * inside a process: what was not durable at the time of the call is lost.
   */
  reopen(): Promise<Engine>;
  /** Opens the data for the audit, next to the engine. */
  audit(): Promise<AuditSource>;
  /** Every record of a topic, also of one without groups; absent where only topics with groups can be read. */
  records?: (topic: TopicName) => LogRecord[];
  /** Opens everything that is stored, to search it next to the engine. */
  personalData(): Promise<PersonalDataSource>;
  /** Closes everything and deletes the data. */
  destroy(): Promise<void>;
}

/** What a driver passes to the suites. */
export type OpenEngine = () => Promise<OpenedEngine>;

/** The engine under test; after a restart the getters return the new one. */
export class Subject {
  private opened: OpenedEngine | null = null;
  private engine: Engine | null = null;
  private readonly audits: AuditSource[] = [];

  constructor(private readonly openEngine: OpenEngine) {}

  get stores(): Stores {
    return this.current().stores;
  }

  get log(): EventLog {
    return this.current().log;
  }

  get clock(): AdvancingClock {
    if (!this.opened) throw new Error('the engine is not open');
    return this.opened.clock;
  }

  async open(): Promise<void> {
    this.opened = await this.openEngine();
    this.engine = this.opened.engine;
  }

  /** Crashes the engine and restarts it on the durable data. */
  async crash(): Promise<void> {
    if (!this.opened) throw new Error('the engine is not open');
    this.engine = await this.opened.reopen();
  }

  /** The data as the audit reads it; closed with the engine. */
  async audit(): Promise<AuditSource> {
    if (!this.opened) throw new Error('the engine is not open');
    const source = await this.opened.audit();
    this.audits.push(source);
    return source;
  }

  /** Every record of a topic as it is now. */
  records<T extends TopicName>(topic: T): LogRecord<T>[] {
    if (!this.opened?.records) throw new Error('the topics of this engine cannot be read');
    return this.opened.records(topic) as LogRecord<T>[];
  }

  /** The places where an address is stored now, as `kind field`, each once, in order. */
  async places(email: string): Promise<string[]> {
    return [...new Set((await this.found(email)).map(({ kind, field }) => `${kind} ${field}`))].sort();
  }

  /** The same with the owners of the places, in no particular order. */
  async found(email: string): Promise<Place[]> {
    if (!this.opened) throw new Error('the engine is not open');
    const source = await this.opened.personalData();
    try {
      const places: Place[] = [];
      for await (const place of source.find(new AddressSearch(email), () => undefined)) places.push(place);
      return places;
    } finally {
      await source.close();
    }
  }

  /** A graceful stop, without a restart. */
  async close(): Promise<void> {
    await this.current().close();
  }

  async destroy(): Promise<void> {
    for (const source of this.audits.splice(0)) await source.close();
    await this.opened?.destroy();
    this.opened = null;
    this.engine = null;
  }

  private current(): Engine {
    if (!this.engine) throw new Error('the engine is not open');
    return this.engine;
  }
}

/** One engine for all cases of a `describe`, which use separate workspaces, ids and days. */
export function sharedEngine(open: OpenEngine): Subject {
  const subject = new Subject(open);
  beforeAll(() => subject.open());
  afterAll(() => subject.destroy());
  return subject;
}

/** One engine per case, for counts over the whole installation. */
export function freshEngine(open: OpenEngine): Subject {
  const subject = new Subject(open);
  beforeEach(() => subject.open());
  afterEach(() => subject.destroy());
  return subject;
}
