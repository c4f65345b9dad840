import { Role, type Handlers } from './role';
import { Sink, type SinkOptions } from './sink/sink';

/** What the sink can be asked. */
type SinkHandlers = Handlers & {
  port: () => number;
  pendingReports: () => number;
  lastMail: () => string;
};

/** A sink that takes mail, wherever it runs. */
export interface SinkHandle {
  port: number;
  /** Reports that were not taken yet. */
  pendingReports(): Promise<number>;
  /** The source of the last mail. */
  lastMail(): Promise<string>;
  close(): Promise<unknown>;
}

/** The sink as a process of its own, which nobody kills. */
export async function runSink(options: SinkOptions): Promise<SinkHandlers> {
  const sink = new Sink(options);
  const port = await sink.listen();
  return { port: () => port, pendingReports: () => sink.pendingReports, lastMail: () => sink.lastMail };
}

/** Starts that process. */
export async function startSink(program: string, options: SinkOptions, log: number): Promise<SinkHandle> {
  const role = new Role<SinkHandlers>({ program, role: 'sink', options, log });
  if (!(await role.ready)) throw new Error('The sink did not start.');
  return {
    port: await role.call('port', undefined),
    pendingReports: () => role.call('pendingReports', undefined),
    lastMail: () => role.call('lastMail', undefined),
    close: () => role.kill(),
  };
}

/** The sink in this process, for a test that needs many. */
export async function sinkInProcess(options: SinkOptions): Promise<SinkHandle> {
  const sink = new Sink(options);
  const port = await sink.listen();
  return { port, pendingReports: async () => sink.pendingReports, lastMail: async () => sink.lastMail, close: async () => sink.close() };
}
