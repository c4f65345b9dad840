import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

/** How often the delay of the event loop is sampled, ms. More often costs a process at rest an eighth of its time. */
const RESOLUTION = 50;
const QUANTILES = [
  [0.5, 50],
  [0.99, 99],
  [1, 100],
] as const;

/** The process itself: CPU, memory and event loop. Begins to sample at once; `stop` ends it. */
export function processMetrics(register: Registry): { stop(): void } {
  const registers = [register];
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  new Gauge({
    name: 'kurir_event_loop_delay_seconds',
    registers,
    labelNames: ['quantile'] as const,
    help: 'Event loop delay since the last scrape; quantile 1 is the maximum.',
    collect() {
      // The sampled intervals include the interval itself.
      const late = (ns: number): number => (Number.isFinite(ns) ? Math.max(0, ns / 1e9 - RESOLUTION / 1_000) : 0);
      for (const [quantile, percentile] of QUANTILES) this.set({ quantile }, late(delay.percentile(percentile)));
      delay.reset();
    },
  });
  const counter = (name: string, help: string, read: () => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  counter(
    'kurir_event_loop_busy_seconds_total',
    'Time that the main thread was busy; a rate of 1 is a fully used thread.',
    () => performance.eventLoopUtilization().active / 1_000,
  );
  counter('process_cpu_seconds_total', 'CPU time of all threads.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Heap of the main thread in use.', () => process.memoryUsage().heapUsed);
  gauge('process_start_time_seconds', 'Start time of the process, Unix time.', () => performance.timeOrigin / 1_000);
  return { stop: () => delay.disable() };
}
