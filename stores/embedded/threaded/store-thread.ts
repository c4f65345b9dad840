import { join } from 'node:path';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { AppendedRow } from '../log/log-tail';
import { TopicSignals } from '../log/topic-signals';
import { Anonymiser } from '../contacts/anonymise';
import { Database } from '../database/database';
import { foreignWrites } from '../database/data-version';
import { GroupCommit } from '../group-commit';
import { embeddedParts } from '../stores';
import { startCheckpointer } from './start-checkpointer';
import { flatten } from './flat-error';
import type { Calls, Outcomes, ThreadOptions } from './protocol';
import { threadMethods } from './methods';
import { movableBytes, type JobRow } from '../messages/read-job';

const noOutcomes = (): Outcomes => ({ done: [], failed: [], appended: [] });

/** The thread of the store: runs the calls it receives and answers each once it is durable. */
function serve(port: MessagePort, { file, groups }: ThreadOptions): void {
  let now = 0;
  let outcomes = noOutcomes();
  /** Bytes that are moved to the caller with the outcomes: a copy would take the memory of a large mail three times. */
  let moved: ArrayBuffer[] = [];
  let posting = false;
  /** Sends the answers of one commit together. */
  const post = (): void => {
    if (posting) return;
    posting = true;
    setImmediate(() => {
      posting = false;
      port.postMessage(outcomes, moved);
      outcomes = noOutcomes();
      moved = [];
    });
  };
  const gained = (appended: readonly AppendedRow[]): void => {
    outcomes.appended.push(...appended);
    post();
  };

  const db = new Database(file);
  const checkpointer = startCheckpointer(join(__dirname, 'checkpointer.js'), file, db);
  const commits = new GroupCommit(db, () => now, gained);
  const methods = threadMethods(
    embeddedParts(db, commits, new TopicSignals(foreignWrites(db)), () => now, { ...(groups && { groups }) }),
    db,
    commits,
  );
  const anonymiser = new Anonymiser(db, commits);
  anonymiser.start();
  const close = async (): Promise<void> => {
    commits.close();
    await anonymiser.stop();
    await checkpointer.stop();
    db.close();
  };
  methods.set('close', close);

  port.on('message', (calls: Calls) => {
    now = calls.now;
    for (const [id, name, args] of calls.calls) {
      methods.get(name)!(...(args as never[])).then(
        (value) => {
          outcomes.done.push([id, value]);
          if (name === 'jobRow') moved.push(...movableBytes(value as JobRow | null));
          post();
        },
        (error: unknown) => {
          outcomes.failed.push([id, flatten(error)]);
          post();
        },
      );
    }
  });
}

serve(parentPort!, workerData as ThreadOptions);
