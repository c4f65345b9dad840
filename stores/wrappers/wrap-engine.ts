import { wrapEachMethod, type AnyMethod, type Wrap, type Wraps } from '../../lib/wrap-methods';
import type { EventLog } from '../../streams/event-log';
import type { Engine } from '../ports/engine';
import type { Stores } from '../ports/index';

/** The ports of an engine: its stores, and its log. */
type Ports = Stores & { log: EventLog };

/** What wraps which methods of which ports. */
export type EngineWraps = { readonly [P in keyof Ports]?: Wraps<Ports[P]> };

/** The same engine with some methods of its ports wrapped (lib/wrap-methods.ts). */
export const wrapEngine = (engine: Engine, wraps: EngineWraps): Engine =>
  wrapEveryPort(engine, (port, name) => (wraps[port] as Record<string, Wrap<AnyMethod>> | undefined)?.[name]);

/** As `wrapEngine`, for what wraps every method, or chooses by the names of port and method. */
export function wrapEveryPort(
  engine: Engine,
  choose: (port: keyof Ports, method: string) => Wrap<AnyMethod> | undefined,
): Engine {
  const { stores, log } = engine;
  const wrap = <T extends object>(port: T, name: keyof Ports): T =>
    wrapEachMethod(port, (method) => choose(name, method));
  const wrapped = Object.entries(stores).map(([name, port]: [string, object]) => [
    name,
    wrap(port, name as keyof Stores),
  ]);
  return { stores: Object.fromEntries(wrapped) as Stores, log: wrap(log, 'log'), close: () => engine.close() };
}
