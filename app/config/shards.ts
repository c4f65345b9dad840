import { TOPICS } from '../../streams/topics';
import type { Config } from './config';

/** How many shards the workspaces are spread over (docs/architecture.md#pacing-and-claim). */
export const shardsOf = ({ engine }: Pick<Config, 'engine'>): number =>
  engine === 'embedded' ? 1 : TOPICS['messages.accepted'].partitions;
