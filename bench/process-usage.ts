import { readFileSync } from 'node:fs';

/** Ticks a second in /proc; 100 on every Linux that Node runs on. */
const TICKS = 100;

/** What a process has used since it began. */
export interface ProcessUsage {
  cpuSeconds: number;
  /** Megabytes (10^6 bytes) of resident memory, at the moment and the peak. */
  memory: number;
  peakMemory: number;
}

/** Read from /proc; null where there is none. */
export function processUsage(pid: number): ProcessUsage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (field: string): number =>
      (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1_024) / 1e6;
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS;
    return { cpuSeconds, memory: megabytes('VmRSS'), peakMemory: megabytes('VmHWM') };
  } catch {
    return null;
  }
}
