import { describe } from '@jest/globals';
import { onEveryDriver } from './drivers';
import type { OpenEngine } from './harness';
import { describeAccept } from './message-store/accept.cases';
import { describeAcceptLists } from './message-store/accept-lists.cases';
import { describeChange } from './message-store/change.cases';
import { describeChangesAtOnce } from './message-store/change-at-once.cases';
import { describeChecked } from './message-store/checked.cases';
import { describeContent } from './message-store/content.cases';
import { describeFind } from './message-store/find.cases';
import { describeHours } from './message-store/hours.cases';
import { describeIdempotency } from './message-store/idempotency.cases';
import { describeReads } from './message-store/reads.cases';

/** The MessageStore behaviour required of every driver. */
function describeMessageStore(open: OpenEngine): void {
  describe('MessageStore', () => {
    describeAccept(open);
    describeAcceptLists(open);
    describeChecked(open);
    describeIdempotency(open);
    describeContent(open);
    describeReads(open);
    describeFind(open);
    describeHours(open);
    describeChange(open);
    describeChangesAtOnce(open);
  });
}

onEveryDriver(describeMessageStore);
