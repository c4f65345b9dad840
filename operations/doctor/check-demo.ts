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
  const suspended = `suspended, because email goes to a real sending server; to let it send: ${of(RESUME_DEMO)}`;
  const active = `can send through the real sending server with the demo API key; unless you want that: ${of('npx kurir workspace suspend <id>')}`;
  return [
    demo.suspended
      ? { check: 'demo workspace', status: 'ok', detail: suspended }
      : { check: 'demo workspace', status: 'note', detail: active },
  ];
}
