import type { LeasedProcess } from '../processes/older-processes';

/** The schema of the data and of this release, and the processes that use the data. */
export interface UpgradeFacts {
  /** Of the data; 0: there is none. */
  data: number;
  /** The oldest schema whose programs may still write the data. */
  writers: number;
  /** Of this release. */
  program: number;
  processes: LeasedProcess[];
}
