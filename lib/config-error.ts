/** All errors of the environment at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(`Configuration: ${faults.join(' ')}`);
  }
}
