import { readFileSync } from 'node:fs';
import { parseKnownClients, type KnownClient } from '../../domain/engagement/known-clients';
import type { VariableName } from './config-variables';
import type { EnvReader } from './env-reader';

const NAME = 'KURIR_KNOWN_CLIENTS';
/** Faults that are shown of one file. */
const SHOWN = 5;

/** Reads the operator's file of agents and networks (docs/machine-signals.md#known-agents-and-networks). */
export function readKnownClients(read: EnvReader<VariableName>): readonly KnownClient[] {
  const file = read.text(NAME);
  if (!file) return [];
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    read.fault(NAME, `names a file that ${code === 'ENOENT' ? 'is missing' : `cannot be read: ${code}`}`);
    return [];
  }
  const { clients, faults } = parseKnownClients(text);
  for (const fault of faults.slice(0, SHOWN)) read.fault(NAME, `names a file with an error: ${fault}`);
  if (faults.length > SHOWN) read.fault(NAME, `names a file with ${faults.length - SHOWN} more invalid lines`);
  return clients;
}
