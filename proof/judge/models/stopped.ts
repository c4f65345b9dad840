import { addressOf } from '../rules';
import { isBounce, recipientOf, type Workspace } from '../run';

const known = new WeakMap<Workspace, Set<string>>();

/** True if something in the history may have stopped mail to this address: a block, a bounce, a complaint. */
export function mayBeStopped(workspace: Workspace, to: string): boolean {
  let stopped = known.get(workspace);
  if (!stopped) known.set(workspace, (stopped = stoppedIn(workspace)));
  return stopped.has(addressOf(to));
}

function stoppedIn({ blocks, messages }: Workspace): Set<string> {
  const stopped = new Set<string>();
  for (const { value, result } of blocks) if (result !== 'fail') stopped.add(addressOf(value.to));
  for (const message of messages) {
    const to = recipientOf(message);
    const isReported = message.reports.some(
      ({ value, result }) => result !== 'fail' && (isBounce(value.kind) || value.kind === 'complaint'),
    );
    if (to && isReported) stopped.add(addressOf(to));
  }
  return stopped;
}
