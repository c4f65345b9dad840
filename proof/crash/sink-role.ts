import { closeSync, openSync } from 'node:fs';
import { Role, type Handlers } from './role';
import { Sink, type SinkOptions } from './sink/sink';

/** The calls the sink serves to its parent process. */
type SinkHandlers = Handlers & {
  port: () => number;
  pendingReports: () => number;
  lastMail: () => string;
};

/** A running sink, in this process or in another. */
export interface SinkHandle {
  port: number;
  /** Number of reports that the listener has not taken yet. */
  pendingReports(): Promise<number>;
  /** Source of the last mail. */
  lastMail(): Promise<string>;
  close(): Promise<unknown>;
}

/** Runs the sink in its own process, which is never killed by a fault. */
export async function runSink(options: SinkOptions): Promise<SinkHandlers> {
  const sink = new Sink(options);
  const port = await sink.listen();
  return { port: () => port, pendingReports: () => sink.pendingReports, lastMail: () => sink.lastMail };
}

/** Starts the sink process, which logs to a file. Throws when it does not start. */
export async function startSink(program: string, options: SinkOptions, logFile: string): Promise<SinkHandle> {
  const log = openSync(logFile, 'a');
  const role = new Role<SinkHandlers>({ program, role: 'sink', options, log });
  if (!(await role.ready)) throw new Error('The sink did not start.');
  return {
    port: await role.call('port', undefined),
    pendingReports: () => role.call('pendingReports', undefined),
    lastMail: () => role.call('lastMail', undefined),
    close: async () => {
      await role.kill();
      closeSync(log);
    },
  };
}

/** Runs the sink in this process, for a test that needs many. */
export async function sinkInProcess(options: SinkOptions): Promise<SinkHandle> {
  const sink = new Sink(options);
  const port = await sink.listen();
  return {
    port,
    pendingReports: async () => sink.pendingReports,
    lastMail: async () => sink.lastMail,
    close: async () => sink.close(),
  };
}
