import { describe } from '@jest/globals';
import { onKafka } from './cluster/open-log';
import { onEveryDriver } from './drivers';
import type { OpenEngine } from './harness';
import { describeAssignment } from './event-log/assign.cases';
import { describeCommits } from './event-log/commit.cases';
import { describeGroups } from './event-log/group.cases';
import { describeParking } from './event-log/park.cases';
import { describePolling } from './event-log/poll.cases';
import { describePublishing } from './event-log/publish.cases';
import { describeTopics } from './event-log/topics.cases';
import { describeTrim } from './event-log/trim.cases';

/** The EventLog behaviour required of every driver. */
function describeEventLog(open: OpenEngine): void {
  describe('EventLog', () => {
    describePublishing(open);
    describePolling(open);
    describeCommits(open);
    describeGroups(open);
    describeAssignment(open);
    describeParking(open);
    describeTopics(open);
    describeTrim(open);
  });
}

onEveryDriver(describeEventLog, onKafka);
