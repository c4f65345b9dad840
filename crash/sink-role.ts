import type { Handlers } from './role';
import { Sink, type SinkOptions } from './sink/sink';

/** What the sink can be asked. */
export type SinkHandlers = Handlers & {
  port: () => number;
  /** Reports that were not taken yet. */
  owed: () => number;
  lastMail: () => string;
};

/** The sink as a process of its own, which nobody kills. */
export async function runSink(options: SinkOptions): Promise<SinkHandlers> {
  const sink = new Sink(options);
  const port = await sink.listen();
  return { port: () => port, owed: () => sink.owed, lastMail: () => sink.lastMail };
}
