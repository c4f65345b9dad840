import { processUsage } from '../../bench/process-usage';

const EVERY = 1_000;

interface Sample {
  pid: number;
  /** Megabytes. */
  memory: number;
}

/** The resident memory of the service, once a second. */
export class MemoryWatch {
  private readonly samples: Sample[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(pids: () => readonly number[]) {
    this.timer = setInterval(() => {
      for (const pid of pids()) {
        const memory = processUsage(pid)?.memory;
        if (memory) this.samples.push({ pid, memory });
      }
    }, EVERY);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** The most memory of a process, MB. */
  get peak(): number {
    return Math.max(0, ...this.samples.map(({ memory }) => memory));
  }

  /** The process that lived longest: its most memory in each fifth of its life, MB. */
  get fifths(): number[] {
    const lives = new Map<number, number[]>();
    for (const { pid, memory } of this.samples) lives.set(pid, [...(lives.get(pid) ?? []), memory]);
    const longest = [...lives.values()].reduce((most, life) => (life.length > most.length ? life : most), []);
    const part = Math.max(1, Math.ceil(longest.length / 5));
    return Array.from({ length: 5 }, (_, i) => Math.round(Math.max(0, ...longest.slice(i * part, (i + 1) * part))));
  }
}
