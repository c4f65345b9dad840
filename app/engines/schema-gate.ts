import { formatDuration } from '../../lib/duration';
import { sleep } from '../../lib/sleep';
import type { OlderGone } from '../../stores/mongodb/database/prepare';
import { describeProcess, type OlderProcesses } from '../../operations/processes/older-processes';
import { StartError } from '../../lib/start-error';

const LOOK_EVERY = 1_000;

export interface SchemaGateOptions {
  older: Pick<OlderProcesses, 'look'>;
  /** How long it waits for older processes, ms of real time. */
  wait: number;
  signal: AbortSignal | null;
  /** Called with the reason for the wait, and with null once it is over. */
  onWait: (reason: string | null) => void;
}

/**
 * Waits until no process of an older schema lives. Throws StartError, which names them, when one still does after the
 * wait: what it wrote would be in no migration.
 */
export function schemaGate({ older, wait, signal, onWait }: SchemaGateOptions): OlderGone {
  return async () => {
    const deadline = performance.now() + wait;
    for (let told = ''; ;) {
      const living = (await older.look()).map(describeProcess).sort();
      if (living.length === 0) return told === '' ? undefined : onWait(null);
      const reason = `This release upgrades the schema of the data, but processes of an older release are still running: ${living.join('; ')}. Stop them`;
      if (performance.now() >= deadline || signal?.aborted) {
        throw new StartError(
          `${reason}, then start this one; nothing was changed. It waited for ${formatDuration(wait)} (KURIR_UPGRADE_WAIT). See docs/upgrade.md and kurir upgrade check.`,
        );
      }
      if (reason !== told) onWait(`${reason}; waiting for up to ${formatDuration(wait)} (KURIR_UPGRADE_WAIT).`);
      told = reason;
      await sleep(LOOK_EVERY, signal ?? undefined);
    }
  };
}
