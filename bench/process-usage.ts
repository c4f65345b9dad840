import { readFileSync } from 'node:fs';

/** Ticks a second in /proc; 100 on every Linux that Node runs on. */
const TICKS = 100;

/** What a process has used since it began. */
export interface ProcessUsage {
  cpuSeconds: number;
  /** Megabytes (10^6 bytes) of resident memory, the peak. */
  peakMemory: number;
}

/** Read from /proc; null where there is none. */
export function processUsage(pid: number): ProcessUsage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS, peakMemory: (Number(peak) * 1_024) / 1e6 };
  } catch {
    return null;
  }
}
