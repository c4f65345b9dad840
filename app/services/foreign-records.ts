import type { Logger } from '../../lib/logger';
import { MINUTE, SECOND } from '../../lib/clock';
import type { GroupName } from '../../streams/topics';

/** A line at most this often: a whole topic of another installation would flood the log. */
const LOG_EVERY = 30 * SECOND;
/** How long `/readyz` tells of the last one. */
const TELL_FOR = 10 * MINUTE;

/** Counts the records of one group whose message is not in the store, and warns of them. They are dead letters. */
export class ForeignRecords {
  private count = 0;
  private logged = 0;
  private loggedAt = -Infinity;
  private lastAt = -Infinity;

  constructor(
    private readonly group: GroupName,
    private readonly logger: Pick<Logger, 'warn'>,
    /** Real time, ms. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Call for each; `key` is the key of the record. */
  note(key: string): void {
    this.count += 1;
    this.lastAt = this.now();
    if (this.lastAt - this.loggedAt < LOG_EVERY) return;
    const facts = { group: this.group, key, records: this.count - this.logged, since_start: this.count };
    this.logged = this.count;
    this.loggedAt = this.lastAt;
    this.logger.warn(
      facts,
      'records were moved to the dead letters because their message is not in this store; check KURIR_KAFKA_PREFIX and MONGODB_DATABASE of every installation, and see kurir dead-letters list',
    );
  }

  /** A sentence for `/readyz`; null when there were none lately. */
  fault(): string | null {
    if (this.now() - this.lastAt > TELL_FOR) return null;
    return `${this.count} records of messages that are not in this store became dead letters since the start: see kurir dead-letters list`;
  }
}
