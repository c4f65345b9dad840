import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { AdvancingClock } from '../../app/time-travel/advancing-clock';
import { AddressSearch } from '../../domain/address-search';
import type { AuditSource } from '../../stores/ports/audit-source';
import type { PersonalDataSource } from '../../stores/ports/personal-data';
import type { Engine } from '../../stores/ports/engine';
import type { Stores } from '../../stores/ports';
import type { EventLog } from '../../streams/event-log';
import type { LogRecord } from '../../streams/records';
import type { TopicName } from '../../streams/topics';

/** An engine on empty data, opened for one suite. */
export interface OpenedEngine {
  engine: Engine;
  /** The clock handed to the engine; it stands still until a case moves it. */
  clock: AdvancingClock;
  /**
   * Opens the same data again. Without a `close()` before it this is a crash, as far as the driver can have one inside a
   * process: what was not durable at the time of the call is gone.
   */
  reopen(): Promise<Engine>;
  /** Opens the data for the audit, beside the engine. */
  audit(): Promise<AuditSource>;
  /** Every record of a topic, also of one that no group reads yet; left out where only topics with groups are looked at. */
  records?: (topic: TopicName) => LogRecord[];
  /** Opens everything that is kept, to be looked through beside the engine. */
  personalData(): Promise<PersonalDataSource>;
  /** Closes whatever is open and deletes the data. */
  destroy(): Promise<void>;
}

/** What a driver hands to the suites; its own test files hold nothing else. */
export type OpenEngine = () => Promise<OpenedEngine>;

/** The engine under test as the cases see it; after a restart the getters answer the new one. */
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

  /** The engine dies where it stands and is started again on what was durable. */
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
    if (!this.opened?.records) throw new Error('the topics of this engine cannot be looked at');
    return this.opened.records(topic) as LogRecord<T>[];
  }

  /** Where an address stands just now, as `kind field`, each once, in order. */
  async places(email: string): Promise<string[]> {
    if (!this.opened) throw new Error('the engine is not open');
    const source = await this.opened.personalData();
    try {
      const places = new Set<string>();
      for await (const { kind, field } of source.find(new AddressSearch(email), () => undefined)) {
        places.add(`${kind} ${field}`);
      }
      return [...places].sort();
    } finally {
      await source.close();
    }
  }

  /** An orderly stop, without the start that follows. */
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

/** One engine for all cases of a `describe`; they keep apart by workspaces, ids and days of their own. */
export function sharedEngine(open: OpenEngine): Subject {
  const subject = new Subject(open);
  beforeAll(() => subject.open());
  afterAll(() => subject.destroy());
  return subject;
}

/** An engine for each case, for what is counted over the whole installation. */
export function freshEngine(open: OpenEngine): Subject {
  const subject = new Subject(open);
  beforeEach(() => subject.open());
  afterEach(() => subject.destroy());
  return subject;
}
