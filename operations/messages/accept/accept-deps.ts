import type { Keyring } from '../../../domain/keyring';
import type { Clock } from '../../../lib/clock';
import type { DomainStore } from '../../../stores/ports/domain-store';
import type { MessageStore } from '../../../stores/ports/message-store';
import type { TemplateStore } from '../../../stores/ports/template-store';
import type { EventLog } from '../../../streams/event-log';

/** What accepting messages needs. Every listener and every consumer that creates messages passes it in. */
export interface AcceptDeps {
  stores: {
    domains: Pick<DomainStore, 'get'>;
    messages: Pick<MessageStore, 'accept'>;
    /** For messages that name one. */
    templates: Pick<TemplateStore, 'get'>;
  };
  log: Pick<EventLog, 'publish'>;
  keyring: Keyring;
  clock: Clock;
  /** Ids of new messages: UUIDv7 with the milliseconds of `clock`. */
  newId: () => string;
}
