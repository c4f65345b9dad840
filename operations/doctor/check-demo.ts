import type { Stores } from '../../stores/ports';
import type { Config } from '../config/config';
import { findDemoWorkspace, RESUME_DEMO } from '../installation/demo-mail';
import type { Check } from './check';

/** With a real sending server: whether the demo workspace may send by it. */
export async function checkDemo(
  stores: Pick<Stores, 'domains' | 'workspaces'>,
  { mtaUrl }: Pick<Config, 'mtaUrl'>,
): Promise<Check[]> {
  const demo = mtaUrl === null ? null : await findDemoWorkspace(stores);
  if (!demo) return [];
  const of = (command: string): string => command.replace('<id>', String(demo.id));
  const suspended = `suspended, since mail goes to a real sending server: ${of(RESUME_DEMO)} lets it send`;
  const active = `may send by the real sending server with the key of the demo: ${of('npx kurir workspace suspend <id>')}, unless you want that`;
  return [
    demo.suspended
      ? { check: 'demo workspace', status: 'ok', detail: suspended }
      : { check: 'demo workspace', status: 'note', detail: active },
  ];
}
