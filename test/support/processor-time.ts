/** The processor time of this process while it does the work, ms: on a busy machine too, about that of the work. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1_000;
}
