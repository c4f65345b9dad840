import { readFileSync } from 'node:fs';

/** Ticks per second in /proc; 100 on every Linux that Node runs on. */
const TICKS = 100;

/** What a process has used since its start. */
export interface ProcessUsage {
  cpuSeconds: number;
  /** Resident memory now and at its peak, megabytes (10^6 bytes). */
  memory: number;
  peakMemory: number;
}

/** Reads it from /proc; null where /proc is missing. */
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
