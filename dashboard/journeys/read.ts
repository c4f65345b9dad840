import type { Input } from '../../operations/definition';
import { workspaceOf } from '../kit/own';
import { Refused } from '../kit/perform';
import type { Visit } from '../kit/screen';
import type { ShownJourney } from './shape';

/** The journey of the address, as operations take it. Addresses have ids: a name could be that of another one. */
export function chosen(visit: Visit): Input {
  const journey = visit.params['id'] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(journey)) throw new Refused({ status: 404, message: '', field: null });
  return { workspace: workspaceOf(visit), journey };
}

/** The journey of the address. */
export async function shown(visit: Visit): Promise<ShownJourney> {
  const found = await visit.read<ShownJourney>('journey.show', chosen(visit));
  if (String(found.id) === visit.params['id']) return found;
  throw new Refused({ status: 404, message: '', field: null });
}
