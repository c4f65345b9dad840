/** Processor time of a start, ms, by what was started: for `--verbose`. */
export interface StartCost {
  cpu_ms: number;
  by_step: Record<string, number>;
}

const usedMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/**
 * Adds up the processor time of a start, over all threads of the process: on a busy machine the time that passes says
 * little. `used`: processor time of the process so far, ms.
 */
export class StartCosts {
  private readonly steps = new Map<string, number>();
  private counted = 0;

  constructor(private readonly used: () => number = usedMs) {}

  /** What was used since the last step counts as this one; steps of one name are added up. */
  note = (step: string): void => {
    const now = this.used();
    this.steps.set(step, (this.steps.get(step) ?? 0) + now - this.counted);
    this.counted = now;
  };

  cost(): StartCost {
    const steps = [...this.steps].map(([step, ms]) => [step, Math.round(ms)] as const);
    return { cpu_ms: Math.round(this.counted), by_step: Object.fromEntries(steps) };
  }
}
