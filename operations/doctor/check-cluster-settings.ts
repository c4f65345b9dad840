import { differencesBetween } from '../processes/agreed-settings';
import { ProcessRegister, type RegisterStores } from '../processes/process-register';
import { CLOCK_WARNING, describeSkew } from '../processes/store-clock';
import type { TopicView } from '../installation/installation-views';
import type { Check } from './check';
import { counted } from '../../lib/counted';

/** Whose topics these are. Those of another installation are refused before the doctor runs. */
export function checkMarker(topics: readonly TopicView[]): Check {
  const marker = topics.find((topic) => topic.marker !== null)?.marker;
  return marker
    ? { check: 'installation', status: 'ok', detail: `${marker.installation}, in the store and in the topics` }
    : { check: 'installation', status: 'note', detail: 'the topics have no marker yet; the next start writes it' };
}

/**
 * Compares the settings of the running processes, and their clocks with that of the store. `skew` is how far the clock
 * of this machine is ahead of the store's, ms.
 */
export async function checkAgreement(stores: RegisterStores, skew: number, now: number): Promise<Check[]> {
  const processes = [...(await new ProcessRegister(stores).look(now)).living.values()];
  const differences = differencesBetween(processes);
  const clocks = processes.filter((process) => Math.abs(process.skew) > CLOCK_WARNING);
  const wrongClocks = clocks.map((process) => `${process.name}: ${describeSkew(process.skew)}`);
  if (Math.abs(skew) > CLOCK_WARNING) wrongClocks.push(`here: ${describeSkew(skew)}`);
  return [
    differences.length === 0
      ? { check: 'settings', status: 'ok', detail: `identical in ${counted(processes.length, 'process', 'processes')}` }
      : { check: 'settings', status: 'wrong', detail: differences.join('. ') },
    wrongClocks.length === 0
      ? { check: 'clocks', status: 'ok', detail: 'in sync with MongoDB' }
      : { check: 'clocks', status: 'wrong', detail: wrongClocks.join('. ') },
  ];
}
