import { processUsage } from '../process-usage';

const EVERY = 1_000;
/** A shorter life, in samples, says nothing about growth: the program is still warming up. */
const LONG = 240;
/** How far the last quarter may be above the second. */
const GROWTH = 1.15;

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

  /** The samples of the process that lived longest, MB. */
  get longest(): number[] {
    const lives = new Map<number, number[]>();
    for (const { pid, memory } of this.samples) {
      const life = lives.get(pid);
      if (life) life.push(memory);
      else lives.set(pid, [memory]);
    }
    return [...lives.values()].reduce((most, life) => (life.length > most.length ? life : most), []);
  }
}

/** The most memory in each quarter of a life, MB. */
export function quartersOf(life: readonly number[]): number[] {
  const part = Math.max(1, Math.ceil(life.length / 4));
  return Array.from({ length: 4 }, (_, i) => Math.round(Math.max(0, ...life.slice(i * part, (i + 1) * part))));
}

/** What is wrong when a long life ends with clearly more memory than its second quarter had. */
export function memoryGrowth(life: readonly number[]): string[] {
  const quarters = quartersOf(life);
  const [, second = 0, , last = 0] = quarters;
  return life.length >= LONG && last > second * GROWTH ? [`memory grew: ${quarters.join(', ')} MB by quarters`] : [];
}
