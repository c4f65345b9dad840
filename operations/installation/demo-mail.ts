import type { Stores } from '../../stores/ports';
import { changeWorkspace } from '../workspaces/change-workspace';
import type { Config } from '../config/config';

export const DEMO_DOMAIN = 'demo.kurir.test';

/** How to undo what `suspendDemo` did; `<id>` is the workspace. */
export const RESUME_DEMO = 'npx kurir workspace resume <id>';

type DemoMailStores = Pick<Stores, 'settings' | 'domains' | 'workspaces' | 'operatorLog'> &
  Parameters<typeof changeWorkspace>[0];

/**
 * Suspends the demo workspace at the first start with a real sending server, once: whoever saw its key in the sandbox
 * could send by that server, and mail that waits would go out. A demo that was made with the sending server is left
 * alone, and so is one that an operator resumed since. A start of the sandbox makes the next one with a sending server
 * decide anew. Returns the id of the workspace, if it was suspended now.
 */
export async function suspendDemo(
  stores: DemoMailStores,
  { mtaUrl, roles }: Config,
  now: number,
): Promise<number | null> {
  const { settings } = stores;
  const decided = (await settings.get('demo_mail')) ?? null;
  if (mtaUrl === null) {
    if (decided !== null && roles.includes('sandbox')) await settings.set('demo_mail', null);
    return null;
  }
  const demo = decided === null ? await findDemoWorkspace(stores) : null;
  if (!demo) return null;
  if (!demo.suspended) {
    await stores.operatorLog.append({
      at: now,
      actor: 'kurir',
      action: 'workspace suspend',
      target: demo.name,
      workspaceId: demo.id,
    });
    await changeWorkspace(stores, demo.id, { suspended: true }, now);
  }
  // Last: a start that was cut off before suspends again.
  await settings.set('demo_mail', 'suspended');
  return demo.suspended ? null : demo.id;
}

/** The workspace of the demo domain; null when there is none. */
export async function findDemoWorkspace({ domains, workspaces }: Pick<Stores, 'domains' | 'workspaces'>) {
  const domain = await domains.findByName(DEMO_DOMAIN);
  return domain && workspaces.get(domain.workspaceId);
}

/** To be called before the demo workspace is made: made with a sending server, it may send by it. */
export const recordDemoMail = ({ settings }: Pick<Stores, 'settings'>, withSendingServer: boolean): Promise<void> =>
  settings.set('demo_mail', withSendingServer ? 'made' : null);
