import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Role, type Handlers } from '../role';
import { Receivers, type Arrivals, type Behaviour } from './receivers';

export interface ReceiverOptions {
  behaviours: readonly Behaviour[];
}

/** The calls the receivers serve to their parent process. */
export type ReceiverHandlers = Handlers & {
  ports: () => number[];
  learn: (secrets: readonly string[]) => void;
  counts: () => { requests: number; arrived: number; repeats: number };
  faults: () => readonly string[];
  arrivals: (endpoint: number) => Arrivals[];
  missing: (wanted: { endpoint: number; events: readonly string[] }) => string[];
  severalIds: (endpoint: number) => [event: string, ids: number][];
};

/** Runs the endpoints in a process of their own, which is never killed by a fault. */
export async function runReceivers({ behaviours }: ReceiverOptions): Promise<ReceiverHandlers> {
  const receivers = new Receivers(behaviours);
  const ports = await receivers.listen();
  return {
    ports: () => ports,
    learn: (secrets) => receivers.learn(secrets),
    counts: () => {
      const { requests, arrived, repeats } = receivers;
      return { requests, arrived, repeats };
    },
    faults: () => receivers.faults,
    arrivals: (endpoint) => receivers.arrivals(endpoint),
    missing: ({ endpoint, events }) => receivers.missing(endpoint, events),
    severalIds: (endpoint) => receivers.severalIds(endpoint),
  };
}

/** Starts the process, which logs to a file in the folder. Throws when it does not start. */
export async function startReceivers(
  program: string,
  options: ReceiverOptions,
  folder: string,
): Promise<Role<ReceiverHandlers>> {
  const log = openSync(join(folder, 'receivers.log'), 'a');
  const role = new Role<ReceiverHandlers>({ program, role: 'receivers', options, log });
  void role.ended.then(() => closeSync(log));
  if (!(await role.ready)) throw new Error('The receivers did not start.');
  return role;
}
